import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { randomNumbers } from '../../scripts/random-numbers.ts'
import { Site, timesOf, writesOf } from './fault-site.ts'
import { openFaultWorld } from './fault-world.ts'

/** Number of killed runs; the long form is `npm run fault:kill`. */
const KILLS = timesOf('WAYBILL_AUDITED', 5)
const SEED = timesOf('WAYBILL_SEED', 20261123)
const AUDITED = { compliance: { audit_log: true } }

interface Verdict {
  readonly ok: boolean
  readonly entries: number
  readonly problems: readonly { readonly code: string }[]
}

async function verify(site: Site, ...more: readonly string[]): Promise<Verdict> {
  const said = await site.ask(['audit', 'verify', ...more, '--json'])
  const verdict: Verdict = JSON.parse(said.out)
  assert.equal(said.code, verdict.ok ? 0 : 1, said.out)
  return verdict
}

/** A site with two audited runs that have ended. */
async function auditedSite(t: TestContext) {
  const site = new Site(t, await openFaultWorld(t))
  site.writer('clerk', AUDITED)
  const runs: string[] = []
  for (const input of ['one', 'two']) {
    const ended = await site.ask(site.go('clerk', '--input', input))
    assert.equal(ended.code, 0, ended.err)
    runs.push(String(JSON.parse(ended.out).run_id))
  }
  return { site, runs }
}

describe('the audit log of runs that are killed', () => {
  test(`has an entry for every event of ${KILLS} runs that were killed and resumed`, async (t) => {
    const world = await openFaultWorld(t, { modelMs: 10, writeMs: 10 })
    const site = new Site(t, world)
    site.writer('clerk', AUDITED)
    t.diagnostic(`WAYBILL_SEED=${SEED}`)
    const random = randomNumbers(SEED)
    let killed = 0
    for (let kill = 0; kill < KILLS; kill++) {
      const launched = site.launch(site.go('clerk', '--input', `i${kill}`))
      void world.arrivals.next(1 + Math.floor(random() * 5)).then(async () => {
        await sleep(random() * 20)
        launched.child.kill('SIGKILL')
      })
      if ((await launched.ended).code === 'SIGKILL') killed++
      const [run = ''] = await site.roots()
      assert.equal((await site.settle(run)).result.output, `yes i${kill}`)
    }
    const verdict = await verify(site)
    assert.deepEqual(verdict.problems, [])
    assert.ok(verdict.entries > KILLS * 4)
    assert.ok(killed > KILLS / 2)
    site.assertWrites(Array.from({ length: KILLS }, (_, kill) => writesOf(['clerk'], 2, `i${kill}`)).flat())
  })
})

describe('the audit log and the records', () => {
  test('the removal of a run is an entry, not a gap', async (t) => {
    const { site, runs } = await auditedSite(t)
    assert.equal((await site.ask(['runs', 'rm', runs[0] ?? '', '--yes'])).code, 0)
    assert.deepEqual((await verify(site)).problems, [])
    const { entries } = (await site.json('audit', 'show', '--run', runs[0] ?? '')) as unknown as {
      entries: readonly { fact: { kind: string } }[]
    }
    assert.equal(entries.at(-1)?.fact.kind, 'run.removed')
  })

  const CHANGES: readonly (readonly [string, readonly string[], string])[] = [
    ['an entry that was removed', ['DELETE FROM audit WHERE n = 3'], 'AUDIT_GAP'],
    [
      'an entry that was changed',
      [`UPDATE audit SET line = replace(line, '"n":3', '"n":3 ') WHERE n = 3`],
      'AUDIT_CHANGED',
    ],
    ['an event that was removed', ['DELETE FROM events WHERE run = 1 AND seq = 2'], 'AUDIT_EVENT_CHANGED'],
    [
      'an event that was changed',
      [`UPDATE events SET line = replace(line, 'run.started', 'run.resumed') WHERE run = 1`],
      'AUDIT_EVENT_CHANGED',
    ],
    [
      'a run that was removed',
      ['events', 'progress', 'runs'].map(
        (table) => `DELETE FROM ${table} WHERE ${table === 'runs' ? 'id' : 'run'} = 1`,
      ),
      'AUDIT_GAP',
    ],
  ]
  for (const [name, statements, code] of CHANGES)
    test(`${name} outside Waybill is found`, async (t) => {
      const { site } = await auditedSite(t)
      assert.deepEqual((await verify(site)).problems, [])
      for (const statement of statements) site.sql(statement)
      const codes = (await verify(site)).problems.map((problem) => problem.code)
      assert.ok(codes.includes(code), JSON.stringify(codes))
    })

  test('an exported log can be verified: truncation, changes and removal of its head are found', async (t) => {
    const { site } = await auditedSite(t)
    assert.equal((await site.ask(['audit', 'export', '-o', 'whole.ndjson'])).code, 0)
    const whole = readFileSync(join(site.place.folder, 'whole.ndjson'), 'utf8')
    assert.equal((await verify(site, 'whole.ndjson')).ok, true)
    const lines = whole.split('\n').slice(0, -1)
    const changed = (at: number) => whole.slice(0, at) + (whole[at] === 'x' ? 'y' : 'x') + whole.slice(at + 1)
    const others = [
      '',
      ...lines.map((_, index) =>
        lines
          .slice(0, index)
          .map((line) => `${line}\n`)
          .join(''),
      ),
      ...lines.map((_, index) =>
        lines
          .filter((__, at) => at !== index)
          .map((line) => `${line}\n`)
          .join(''),
      ),
      ...Array.from({ length: 40 }, (_, n) => changed(Math.floor((n * (whole.length - 2)) / 40))),
    ]
    for (const [n, text] of others.entries()) {
      writeFileSync(join(site.place.folder, 'other.ndjson'), text)
      assert.equal((await verify(site, 'other.ndjson')).ok, false, `number ${n} passes`)
    }
  })
})
