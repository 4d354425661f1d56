import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { RunResult } from '../../src/run/result.ts'
import { until } from '../cli/fixture.ts'
import { Site } from './fault-site.ts'
import { openFaultWorld } from './fault-world.ts'

/** A race that `fast` wins when the write of `slow` has reached the server. */
async function race(t: TestContext): Promise<Site> {
  const world = await openFaultWorld(t, {
    rounds: (model) => (model === 'fast' ? 0 : 1),
    holds: (model) => model === 'fast' && world.writes.size === 0,
    holdsWrite: () => true,
  })
  const site = new Site(t, world)
  site.swarm(['fast', 'slow'], { consensus: { strategy: 'first_success' } })
  return site
}

/** A run whose deadline passes while its write is in flight. */
async function late(t: TestContext): Promise<Site> {
  const site = new Site(t, await openFaultWorld(t, { holdsWrite: () => true }))
  site.writer('head', { runtime: { max_retries: 0, timeout_seconds: 5 } })
  return site
}

const SCENES = [
  ['the loser of first_success', race, /✓ agent fast/, 0, 'completed', undefined, 'slow/go/0'],
  ['a run whose time is up', late, /time limit/, 3, 'failed', 'TIMEOUT', 'head/go/0'],
] as const

describe('a write that must not be repeated and is in flight when the end of its run is decided', {
  concurrency: true,
}, () => {
  for (const [name, open, decided, code, status, error, write] of SCENES) {
    test(`${name}: an answer in time is recorded, and no person is asked`, async (t) => {
      const site = await open(t)
      const launched = site.launch(site.go('head', '--input', 'go'))
      await until('the end is decided', () => decided.test(launched.err()), 60_000)
      site.world.choices.holdsWrite = () => false
      const ended = await launched.ended
      const result: RunResult = JSON.parse(ended.out)
      assert.deepEqual([ended.code, result.status, result.error?.code], [code, status, error], ended.err)
      assert.deepEqual((await site.json('approvals', 'list')).approvals, [])
      const writer = result.subagents.find(({ alias }) => alias === 'slow')?.run_id ?? result.run_id
      assert.ok((await site.types(writer)).includes('call.answered'))
      site.assertWrites([write])
    })

    test(`${name}: a write without an answer delays the end until a person has decided`, async (t) => {
      const site = await open(t)
      const ended = await site.run(site.go('head', '--input', 'go'))
      const held: RunResult = JSON.parse(ended.out)
      assert.deepEqual([ended.code, held.status], [4, 'awaiting_approval'], ended.out + ended.err)
      // Until then every resume asks again.
      assert.equal((await site.ask(['resume', held.run_id, '--json'])).code, 4)
      assert.equal(await site.decideUnknown(), 1)
      const resumed = await site.ask(['resume', held.run_id, '--json'])
      const result: RunResult = JSON.parse(resumed.out)
      assert.deepEqual([resumed.code, result.status, result.error?.code], [code, status, error], resumed.err)
      assert.deepEqual((await site.json('approvals', 'list')).approvals, [])
      site.assertWrites([write])
    })
  }
})
