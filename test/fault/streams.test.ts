import assert from 'node:assert/strict'
import { closeSync, openSync } from 'node:fs'
import { describe, type TestContext, test } from 'node:test'
import { until } from '../cli/fixture.ts'
import { codeOf, type LaunchOptions, Site, writesOf } from './fault-site.ts'
import { openFaultWorld } from './fault-world.ts'

async function openSite(t: TestContext): Promise<Site> {
  const site = new Site(t, await openFaultWorld(t))
  site.writer('clerk')
  return site
}

function fullDevice(t: TestContext): number {
  const fd = openSync('/dev/full', 'w')
  t.after(() => closeSync(fd))
  return fd
}

async function assertCompleted(site: Site): Promise<void> {
  const { runs } = (await site.json('runs', 'list')) as unknown as { runs: readonly { status: string }[] }
  assert.deepEqual(
    runs.map(({ status }) => status),
    ['completed'],
  )
  site.assertWrites(writesOf(['clerk'], 2))
}

describe('output that cannot be written does not stop a run', { concurrency: 2 }, () => {
  for (const more of [['--events', 'ndjson'], []])
    test(`standard output on a full disk is reported, and the run completes: ${more.join(' ') || '--json'}`, async (t) => {
      const site = await openSite(t)
      const argv = site.go('clerk', '--input', 'go').filter((word) => more.length === 0 || word !== '--json')
      const ended = await site.run([...argv, ...more], { stdout: fullDevice(t) })
      assert.equal(ended.code, 3, ended.err)
      assert.match(ended.err, /OUTPUT_LOST/)
      await assertCompleted(site)
    })

  const others: readonly (readonly [string, (t: TestContext) => LaunchOptions])[] = [
    ['standard error on a full disk', (t) => ({ stderr: fullDevice(t) })],
    [
      'a reader that has seen enough',
      () => ({ prefix: ['bash', '-c', 'set -o pipefail; "$@" --events ndjson | head -1', 'bash'] }),
    ],
    ['standard output that is closed', () => ({ prefix: ['bash', '-c', '"$@" >&-', 'bash'] })],
  ]
  for (const [name, options] of others)
    test(`${name}: the run completes with exit code 0`, async (t) => {
      const site = await openSite(t)
      const argv = site
        .go('clerk', '--input', 'go')
        .filter((word) => word !== '--json' || !name.includes('reader'))
      const ended = await site.run(argv, options(t))
      assert.equal(ended.code, 0, ended.err)
      await assertCompleted(site)
    })
})

describe('output that cannot be written is reported by every command', () => {
  test('a command whose output is lost ends with exit code 3', async (t) => {
    const site = await openSite(t)
    const host = new URL(site.world.url).host
    assert.equal((await site.ask(site.go('clerk', '--input', 'go'))).code, 0)
    const commands: readonly (readonly string[])[] = [
      ['runs', 'list'],
      ['runs', 'list', '--json'],
      ['runs', 'show', 'last'],
      ['runs', 'export', 'last'],
      ['plan', 'clerk.json', '--tools', 'tools.mjs', '--allow-host', host],
      ['validate', 'clerk.json', '--json'],
      ['rules'],
      ['--help'],
    ]
    const exits: unknown[] = []
    for (const argv of commands) {
      const { code, err } = await site.run(argv, { stdout: fullDevice(t) })
      exits.push([argv.join(' '), code, err.includes('OUTPUT_LOST')])
    }
    assert.deepEqual(
      exits,
      commands.map((argv) => [argv.join(' '), 3, true]),
    )
  })
})

describe('a signal before a run begins', () => {
  for (const signal of ['SIGTERM', 'SIGHUP'] as const)
    test(`${signal}: exit code 130, one JSON value, and no record`, async (t) => {
      const site = await openSite(t)
      // The module is loaded before the run is stored, and this module never finishes loading.
      site.place.write(
        'tools.mjs',
        `await fetch('${site.world.url}/loading', { method: 'POST', body: '{}' })`,
      )
      site.world.choices.holdsWrite = () => true
      const launched = site.launch(site.go('clerk', '--input', 'go'))
      await until('the module is being loaded', () => site.world.writes.size > 0, 60_000)
      launched.child.kill(signal)
      const ended = await launched.ended
      assert.deepEqual([ended.code, codeOf(ended)], [130, 'INTERRUPTED'], ended.err)
      assert.deepEqual(await site.roots(), [])
    })
})
