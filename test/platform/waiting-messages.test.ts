import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ModelPort } from '../../src/run/ports.ts'
import { heldModel, legPlace } from './leg-place.ts'
import { scriptedModel, scriptedRun } from './scripted-agent.ts'

/** A session whose run `r1` is queued, with a message that came after its first one. */
async function conversation(t: TestContext, on_busy: 'enqueue' | 'interrupt', agent = {}) {
  const place = await legPlace(t)
  const { engine, records } = place
  const { header, ...run } = scriptedRun('r1', { pays: 0 }, agent)
  await records.runs.enqueue({ ...run, header: { ...header, session: 's' } }, {})
  await engine.query(`INSERT INTO waybill.agents (org, agent_id, name) VALUES ('a', 'clerk', 'Clerk')`)
  await engine.query(
    `INSERT INTO waybill.conversations (org, session, agent_id, run_id) VALUES ('a', 's', 'clerk', 'r1')`,
  )
  await engine.query(
    `INSERT INTO waybill.messages (org, session, id, input, on_busy, state, by) VALUES ('a', 's', 'm', '"two"', $1, 'queued', 'ann')`,
    [on_busy],
  )
  return place
}

describe('a message that waits in a session', () => {
  it('interrupts the first turn, also if it came before that turn began', async (t) => {
    const { records, legOf } = await conversation(t, 'interrupt')
    let questions = 0
    const script = scriptedModel()
    const model: ModelPort = {
      async ask(request, options) {
        questions += 1
        if (questions === 1) await sleep(5000, undefined, { signal: options.signal })
        return script.ask(request, options)
      },
    }
    await legOf('r1', { model })
    const { state } = await records.runs.read('r1')
    assert.deepEqual([state.turn, state.end?.status], [2, 'completed'])
    const types = (await records.runs.events('r1')).map(({ fact }) => fact.type)
    assert.ok(types.includes('turn.interrupted'), types.join())
  })

  it('waits without a process if another run got the slot when the turn ended', {
    timeout: 20_000,
  }, async (t) => {
    const agent = { runtime: { concurrency: 1 } }
    const { records, queued, legOf } = await conversation(t, 'enqueue', agent)
    await queued('r2', agent)
    const { model, asked, release } = heldModel()
    const first = legOf('r1', { model })
    await asked
    await legOf('r2')
    assert.equal((await records.runs.listed('r2')).phase, 'slot')
    release()
    await first
    assert.equal((await records.runs.listed('r1')).phase, 'slot')
    await legOf('r2')
    await legOf('r1')
    const { state } = await records.runs.read('r1')
    assert.deepEqual([state.turn, state.end?.status], [2, 'completed'])
  })
})
