import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { agent } from '../run/family.ts'
import { FamilyWorld } from '../run/family-world.ts'
import { captureOf, newStateId, placed, restored, restoredState } from './captured.ts'
import { QUESTION, WORLDS, worldOf } from './captured-worlds.ts'

const NEW = '01a1ffb2-5c00-7000-8000-00000000000a'
const TOOL = { name: 'send', description: 'Does it.', parameters_schema: { type: 'object' } }

/** A run whose server asks a person, before the answer. */
async function asking(t: TestContext) {
  const world = await worldOf(t, 'a question of a server')
  world.decide = () => null
  const state = await world.start()
  assert.equal(state.calls[0]?.status, 'input_required')
  return { world, document: captureOf(world, state) }
}

describe('a question of a server in an Agent State', () => {
  test('is a pending call for other hosts: it was not made', async (t) => {
    const { document } = await asking(t)
    assert.equal(document.status, 'awaiting_tool_result')
    assert.deepEqual(
      document.pending_tool_calls?.map(({ tool_name, status }) => [tool_name, status]),
      [['send', 'pending']],
    )
    assert.doesNotMatch(JSON.stringify(document.conversation), /Which city/)
  })

  test('is put to a person where the run continues, and the answer goes with the state of the server', async (t) => {
    const { world, document } = await asking(t)
    const arrived = restored(document, world.program, { runId: NEW, fork: false, trusted: false })
    const next = placed(world, arrived)
    next.decide = ({ id, elicitation }) => {
      assert.deepEqual(elicitation?.questions, [QUESTION])
      assert.equal(elicitation.request_state, 'opaque state')
      const answers = { stay: { action: 'accept', content: { city: 'Bern' } } } as const
      return { type: 'person.decided', call_id: id, verdict: 'answer', by: 'Ada', answers }
    }
    const before = next.sent.length
    const state = await next.driveRun(NEW)
    assert.equal(state.end?.status, 'completed')
    const made = next.sent.slice(before)
    assert.equal(made.length, 1)
    assert.equal(made[0]?.elicitation?.request_state, 'opaque state')
    assert.deepEqual(made[0].elicitation.answers?.stay?.content, { city: 'Bern' })
  })

  test('is replaced by an approval where this platform asks for one, and the server asks again', async (t) => {
    const { document } = await asking(t)
    const strict = agent('a', { tools: [TOOL], compliance: { human_in_the_loop: { enabled: true } } })
    const { options } = WORLDS['a question of a server'] as (typeof WORLDS)[string]
    const { program } = await FamilyWorld.open(t, [strict], options)
    const here = { ...document, agent_id: program.plan.agent_id }
    const [call] = restoredState(here, program, { runId: NEW, fork: false, trusted: false }).calls
    assert.equal(call?.status, 'asking')
    assert.equal(call.elicitation, undefined)
  })

  test('becomes a question about the outcome in a fork: the run of origin may get the answer', async (t) => {
    const { world, document } = await asking(t)
    const fork = { runId: NEW, fork: true } as const
    assert.equal(restoredState(document, world.program, fork).calls[0]?.status, 'unknown')
    const known = { answer: () => ({ sent: false }), sentLater: [], child: () => undefined }
    const [call] = restoredState(document, world.program, { ...fork, origin: known }).calls
    assert.equal(call?.status, 'input_required', 'the record of the origin says that it was not made')
  })

  test('cannot be smuggled past the gate of this platform', async (t) => {
    const { world, document } = await asking(t)
    const forged = JSON.parse(JSON.stringify({ ...document, state_id: newStateId() }))
    Object.assign(forged['x-waybill'].run.calls[0], { elicitation: undefined })
    const [call] = restoredState(forged, world.program, { runId: NEW, fork: false, trusted: false }).calls
    assert.equal(call?.status, 'asking')
  })
})
