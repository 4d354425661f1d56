import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import tls from 'node:tls'
import { pullRun } from '../../src/cli/migrate/pull-run.ts'
import { pushRun } from '../../src/cli/migrate/push-run.ts'
import type { LocalHome } from '../../src/compose/local-home.ts'
import type { MoveRecords } from '../../src/run/record/move-records.ts'
import { noCertificates } from '../adapters/tls-front.ts'
import { type Laptop, laptopAt } from '../platform/laptop.ts'
import { until } from '../platform/leg-place.ts'
import { type MovingPlatform, type MovingSite, movingSite } from '../platform/moving-site.ts'
import { AGENT, definitionOf } from '../platform/organisation.ts'
import type { MessageFault } from './move-relay.ts'

/** Moves between a machine without a server and a platform, whose processes die between any two steps. */

class Crash extends Error {}

/** Rows of moves whose process dies before or after its n-th request to them. */
function crashing(records: MoveRecords, n: number, when: 'before' | 'after'): MoveRecords {
  let asked = 0
  let isDead = false
  const die = (): never => {
    isDead = true
    throw new Crash('the process has died')
  }
  return new Proxy(records, {
    get:
      (target, name: keyof MoveRecords) =>
      async (...values: readonly unknown[]) => {
        if (isDead) die()
        const isLast = ++asked === n
        if (isLast && when === 'before') die()
        // biome-ignore lint/suspicious/noExplicitAny: any of the methods
        const result = await (target[name] as any).apply(target, values)
        return isLast ? die() : result
      },
  })
}

const clerk = (base_url: string) =>
  definitionOf({
    version: '1.0.0',
    model: { provider: 'openai', preferred: 'gpt-4o', base_url },
    tools: [
      {
        name: 'send',
        description: 'Sends.',
        parameters_schema: { type: 'object', properties: { to: { type: 'string' } } },
      },
    ],
    compliance: { human_in_the_loop: { enabled: true } },
  })

interface World {
  readonly site: MovingSite
  readonly a: MovingPlatform
  readonly laptop: Laptop
}

async function world(t: Parameters<typeof movingSite>[0], relays: boolean): Promise<World> {
  const site = await movingSite(t, { relays })
  const { a, baseUrl } = site
  const laptop = laptopAt(t, site)
  laptop.write('agent.json', clerk(baseUrl))
  await a.upload(clerk(baseUrl))
  await laptop.meet(a)
  return { site, a, laptop }
}

const waitingAt = async (a: MovingPlatform, to: string): Promise<string> => {
  const input = JSON.stringify({ tool: 'send', to })
  const { run_id } = await a.ok('POST', `/v1/agents/${AGENT}/runs`, { input })
  await a.reaches(run_id, 'awaiting_approval')
  return run_id
}

/** The run is at one of the two, and its write is made there once. */
async function endsAt(
  { site, a, laptop }: World,
  place: 'laptop' | 'platform',
  runId: string,
  to: string,
): Promise<void> {
  if (place === 'laptop') {
    const { json } = await laptop.ok(['approvals', 'approve', runId, '--resume', '--json'])
    assert.equal(json.status, 'completed')
  } else {
    const view = await a.reaches(runId, 'awaiting_approval')
    const { items } = await a.ok('GET', `/v1/approvals?run_id=${view.run_id}`)
    await a.ok('POST', `/v1/approvals/${items[0].id}`, { verdict: 'approve' })
    await a.reaches(runId, 'completed')
  }
  assert.deepEqual(
    site.effects().filter((one) => one === `send ${to}`),
    [`send ${to}`],
  )
}

describe('moves of a machine without a server under faults', { skip: noCertificates }, () => {
  test('AAIF-8.2-04: a command that dies between any two steps is repeated, and one side owns the run', {
    timeout: 1_200_000,
  }, async (t) => {
    const places = await world(t, false)
    const { a, laptop } = places
    const before = tls.getCACertificates('default')
    tls.setDefaultCACertificates([...before, readFileSync(a.caFile, 'utf8')])
    t.after(() => tls.setDefaultCACertificates(before))
    const out: string[] = []
    const env = { WAYBILL_HOME: laptop.home, WAYBILL_TOKEN: a.admin, USER: 'ada', OPENAI_API_KEY: 'not-used' }
    const io = {
      cwd: laptop.folder,
      env,
      out: (text: string) => void out.push(text),
      err: () => {},
      stdin: Readable.from([]),
      outIsTty: false,
      errIsTty: false,
      color: false,
    }
    const moved = () => JSON.parse(out.splice(0).join('')).target_run_id as string
    const attempt = (act: (home: LocalHome) => Promise<unknown>, n: number, when: 'before' | 'after') =>
      laptop
        .withHome((home) =>
          act({ ...home, moves: { ...home.moves, records: crashing(home.moves.records, n, when) } }),
        )
        .then(
          () => false,
          (error: unknown) => {
            if (error instanceof Crash) return true
            throw error
          },
        )

    const directions = {
      async push(to: string) {
        const run = await laptop.waiting('agent.json', { tool: 'send', to })
        const act = (home: LocalHome) => pushRun(home, run, { to: a.url, json: true }, io)
        return { run, act, place: 'platform' as const }
      },
      async pull(to: string) {
        const run = await waitingAt(a, to)
        const options = { from: a.url, json: true, agent: 'agent.json', tools: 'tools.mjs' }
        const act = (home: LocalHome) => pullRun(home, env, run, options, io)
        return { run, act, place: 'laptop' as const }
      },
    }
    for (const [direction, begin] of Object.entries(directions)) {
      let crashes = 0
      for (const when of ['before', 'after'] as const)
        for (let n = 1, died = true; died; n++) {
          const to = `${direction}-${when}-${n}`
          await t.test(`${direction}: dies ${when} request ${n}`, async () => {
            const { act, place } = await begin(to)
            died = await attempt(act, n, when)
            if (died) crashes++
            out.length = 0
            // Also twice: the answer of the first one may have been lost.
            if (died)
              await attempt(act, Number.POSITIVE_INFINITY, 'before').catch((error) => {
                assert.equal(error.code, 'RUN_MOVED')
              })
            else await attempt(act, Number.POSITIVE_INFINITY, 'before').catch(() => {})
            const target = direction === 'push' ? await targetAt(a, to) : moved()
            await endsAt(places, place, target, to)
          })
        }
      assert.ok(crashes >= 10, `${direction}: ${crashes} crashes`)
    }
    const [local, there] = [await laptop.audit(), await a.audit()]
    assert.deepEqual([local.ok, there.ok], [true, true])
    const count = (kinds: readonly unknown[], wanted: string) =>
      kinds.filter((kind) => kind === wanted).length
    const kinds = local.facts.map(({ kind }) => kind)
    assert.equal(count(kinds, 'run.moved'), count(there.kinds, 'run.received'))
    assert.equal(count(kinds, 'run.received'), count(there.kinds, 'run.moved'))
    assert.ok(count(kinds, 'run.moved') > 7)
    assert.ok(count(kinds, 'run.received') > 7)
  })

  test('AAIF-8.2-04: lost messages and killed processes of both sides leave one owner', {
    timeout: 1_200_000,
  }, async (t) => {
    const places = await world(t, true)
    const { site, a, laptop } = places
    const [relay] = site.relays
    assert.ok(relay)
    // Not the dry run before a move, which has a query.
    const state = { method: 'POST', path: /^\/v1\/states$/ }
    const stream = { method: 'POST', path: /^\/v1\/handoff$/ }
    const fetched = { method: 'GET', path: /^\/v1\/migrations\/[^/]+\/state$/ }
    const reported = { method: 'POST', path: /^\/v1\/migrations\/[^/]+$/ }
    const begun = { method: 'POST', path: /\/migrate$/ }
    const faults: readonly {
      readonly direction: 'push' | 'pull'
      readonly at: { readonly method: string; readonly path: RegExp }
      readonly fault: MessageFault
      readonly kill?: 'laptop' | 'platform'
    }[] = [
      { direction: 'push', at: state, fault: 'lose request', kill: 'laptop' },
      { direction: 'push', at: state, fault: 'lose answer', kill: 'laptop' },
      { direction: 'push', at: state, fault: 'lose answer', kill: 'platform' },
      { direction: 'push', at: state, fault: 'repeat later', kill: 'laptop' },
      { direction: 'push', at: stream, fault: 'cut request' },
      { direction: 'push', at: stream, fault: 'lose answer', kill: 'platform' },
      { direction: 'push', at: state, fault: 'repeat at once' },
      { direction: 'pull', at: begun, fault: 'lose answer', kill: 'laptop' },
      { direction: 'pull', at: fetched, fault: 'lose answer', kill: 'laptop' },
      { direction: 'pull', at: fetched, fault: 'cut answer', kill: 'platform' },
      { direction: 'pull', at: reported, fault: 'lose request', kill: 'laptop' },
      { direction: 'pull', at: reported, fault: 'lose answer', kill: 'laptop' },
      { direction: 'pull', at: reported, fault: 'lose answer', kill: 'platform' },
      { direction: 'pull', at: reported, fault: 'repeat at once' },
    ]
    for (const [n, { direction, at, fault, kill }] of faults.entries())
      await t.test(`${direction}: ${at.method} ${at.path}: ${fault}, kill ${kill ?? 'none'}`, async () => {
        const to = `person-${n}`
        const run =
          direction === 'push'
            ? await laptop.waiting('agent.json', { tool: 'send', to })
            : await waitingAt(a, to)
        const argv =
          direction === 'push'
            ? ['migrate', run, '--to', a.url, '--json', ...(at === stream ? ['--method', 'stream'] : [])]
            : ['migrate', run, '--from', a.url, '--json', '--agent', 'agent.json', '--tools', 'tools.mjs']
        const before = relay.applied
        relay.faults.push({ ...at, fault })
        const started = laptop.start(argv, a)
        await until(async () => relay.applied > before)
        if (kill === 'laptop') started.child.kill('SIGKILL')
        if (kill === 'platform') {
          await a.closeServer('SIGKILL')
          await a.openServer()
        }
        await started.ended
        await relay.settled()
        relay.faults.length = 0
        const again = await laptop.command(argv, a)
        if (again.code !== 0) assert.match(again.err, /RUN_MOVED/)
        await endsAt(
          places,
          direction === 'push' ? 'platform' : 'laptop',
          direction === 'push' ? await targetAt(a, to) : again.json.target_run_id,
          to,
        )
        if (direction === 'push')
          assert.equal((await laptop.ok(['runs', 'show', run, '--json'])).json.status, 'moved')
        else assert.equal(await a.status(run), 'moved')
      })
    assert.deepEqual([(await laptop.audit()).ok, (await a.audit()).ok], [true, true])
  })
})

/** Returns the only run of a platform that waits to send to this person. */
async function targetAt(a: MovingPlatform, to: string): Promise<string> {
  const { items } = await a.ok('GET', '/v1/approvals')
  const found = items.filter((one: { arguments: { to: string } }) => one.arguments.to === to)
  assert.equal(found.length, 1, `${found.length} runs wait for ${to}`)
  return found[0].run_id
}
