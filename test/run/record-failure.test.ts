import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { agent } from './family.ts'
import { FamilyWorld, ROOT, settle } from './family-world.ts'
import { calls } from './fixture.ts'

const NAMES = ['a', 'b', 'c', 'd']

/** A swarm of four workers, each of which sends once; the swarm's own model merges. */
function swarmOfFour(t: TestContext) {
  const send = { name: 'send', description: 'Sends.', protocol: 'function' }
  const worker = (name: string) => agent(name, { tools: [send] })
  const root = agent('s', {
    orchestration: {
      subagents: NAMES.map((name) => ({ ref: name, alias: name })),
      parallel_execution: true,
    },
  })
  const work = (who: string) => async (request: { messages: readonly { role: string }[] }) => {
    await settle(1)
    return request.messages.some(({ role }) => role === 'tool')
      ? `${who} sent`
      : calls([`call-${who}`, 'send', { who }])
  }
  return FamilyWorld.open(t, [root, ...NAMES.map(worker)], {
    says: { ...Object.fromEntries(NAMES.map((name) => [name, work(name)])), s: () => 'merged' },
    tools: { send: async ({ agent: who }) => ({ sent: who }) },
  })
}

const full = () => Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })

/** Answers as a person who has checked the other system. */
function knowing(world: FamilyWorld): FamilyWorld['decide'] {
  return (call) => {
    const was = world.sent.some(({ key }) => key === call.key)
    return was
      ? { type: 'person.decided', call_id: call.id, verdict: 'assume', by: 'ann', result: 'it was' }
      : { type: 'person.decided', call_id: call.id, verdict: 'resend', by: 'ann' }
  }
}

describe('a record that cannot be written', () => {
  for (const whose of ['b', 's']) {
    for (let n = 1; n <= 4; n++) {
      test(`stops everything: append ${n} of ${whose === 's' ? 'the swarm' : 'a worker'} fails`, async (t) => {
        const world = await swarmOfFour(t)
        const failure = full()
        let failed = false
        let before: readonly number[] = []
        const done = () => [world.sent.length, world.asked.length]
        world.beforeAppend = async (runId, at) => {
          // Slow, so that others are about to send when this one fails.
          await settle(1)
          const name = runId === ROOT ? 's' : NAMES.find((alias) => world.runOf(alias) === runId)
          if (failed || name !== whose || at < n) return
          failed = true
          before = done()
          throw failure
        }
        await assert.rejects(world.start(), (error) => error === failure)
        assert.ok(failed)

        // No worker counts as failed, and nothing more happens.
        const types = world.events().map(({ fact }) => fact.type)
        assert.ok(!types.includes('call.failed'), types.join(' '))
        const lines = [...world.lines.values()].flat().length
        await settle(50)
        assert.deepEqual(done(), before)
        assert.equal([...world.lines.values()].flat().length, lines)

        if (world.events().length === 0) return
        world.decide = knowing(world)
        const state = await world.resume()
        assert.equal(state.end?.output, 'merged')
        const keys = world.sent.map(({ key }) => key)
        assert.equal(keys.length, 4)
        assert.equal(new Set(keys).size, 4)
      })
    }
  }

  test('a worker whose record cannot be opened has not failed', async (t) => {
    const world = await swarmOfFour(t)
    const failure = full()
    const stateOf = world.stateOf.bind(world)
    world.stateOf = (runId, program) => {
      if (runId !== ROOT && runId === world.runOf('c')) throw failure
      return stateOf(runId, program)
    }
    await assert.rejects(world.start(), (error) => error === failure)
    assert.ok(!world.events().some(({ fact }) => fact.type === 'call.failed'))
    world.stateOf = stateOf
    world.decide = knowing(world)
    assert.equal((await world.resume()).end?.output, 'merged')
    assert.equal(new Set(world.sent.map(({ key }) => key)).size, 4)
    assert.equal(world.sent.length, 4)
  })

  test('placeholders for personal data are a part of the record', async (t) => {
    const world = await swarmOfFour(t)
    const failure = full()
    let facts = 0
    world.clean = (fact) => {
      if (fact.type === 'call.answered' && ++facts === 2) throw failure
      return fact
    }
    await assert.rejects(world.start(), (error) => error === failure)
    assert.ok(!world.events().some(({ fact }) => fact.type === 'call.failed'))
  })
})
