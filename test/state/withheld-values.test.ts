import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { JsonObject } from '../../src/document/json.ts'
import { parseCallRule } from '../../src/policy/approval/call-rule.ts'
import { isCovered } from '../../src/session/standing-decision.ts'
import type { AgentState } from '../../src/spec/aaif/generated/state.ts'
import type { RestoredValues } from '../../src/state/restore-options.ts'
import { agent } from '../run/family.ts'
import { FamilyWorld } from '../run/family-world.ts'
import { calls } from '../run/fixture.ts'
import { captureOf, placed, restored, restoredState } from './captured.ts'

const ID = '0b0c8f5e-7a55-4f0e-9a6b-6a3f0f0a1b2c'
const SCHEMA = { type: 'object', properties: { to: { type: 'string', pattern: '@' } } }
const tool = (name: string) => ({ name, description: 'Does it.', parameters_schema: SCHEMA })
const WITHHELD = { to: '[email withheld]' }
const lost: RestoredValues = { carried: 0, lost: 1, why: 'they stay', reveal: (args) => args }
const carried: RestoredValues = {
  carried: 1,
  lost: 0,
  why: '',
  reveal: (args) => JSON.parse(JSON.stringify(args).replaceAll('[email:1]', 'ada@example.com')),
}

/** An agent whose model calls `look` with these arguments. */
const worldOf = (t: TestContext, args: JsonObject = WITHHELD, name = 'look') =>
  FamilyWorld.open(t, [{ ...agent('a', { tools: [tool('look'), tool('send')] }), agent_id: ID }], {
    reads: ['look'],
    tools: { look: () => 1, send: () => 1 },
    says: { a: ({ messages }) => (messages.at(-1)?.role === 'user' ? calls(['1', name, args]) : 'done') },
  })

const stateOf = (members: Partial<AgentState>): AgentState => ({
  sc_standard: 'SC-006',
  state_id: '0b9f3f0e-6d52-4d1f-8f5a-5f0c9f6f1a01',
  agent_id: ID,
  checkpoint_at: '2026-03-01T09:00:00Z',
  status: 'paused',
  conversation: [{ role: 'user', content: 'mail [email withheld]' }],
  ...members,
})

const pending = (args: JsonObject, status: 'pending' | 'in_flight' = 'in_flight') =>
  stateOf({ pending_tool_calls: [{ id: '1', tool_name: 'look', arguments: args, status }] })

describe('a call that needs values that a move has left behind', () => {
  for (const status of ['pending', 'in_flight'] as const)
    test(`is put to a person if it was ${status}, whatever its schema says`, async (t) => {
      const world = await worldOf(t)
      const { report, runs } = restored(pending(WITHHELD, status), world.program, {
        trusted: false,
        values: lost,
      })
      const fact = runs[0]?.facts.at(-1)
      const [call] = fact?.type === 'run.restored' ? fact.state.calls : []
      assert.equal(call?.status, 'asking')
      assert.match(call?.why ?? '', /were left on the platform/)
      const statuses = (part: string) => report.entries.find((entry) => entry.part === part)
      assert.equal(statuses('pending_tool_calls 1')?.status, 'approximated')
      assert.deepEqual(statuses('x-waybill.personal_data'), {
        part: 'x-waybill.personal_data',
        status: 'left_behind',
        note: '1 value: they stay',
      })
    })

  test('is another call than one with such a text in a run that has lost none', async (t) => {
    const world = await worldOf(t)
    const [call] = restoredState(pending({ to: 'x@[email withheld]' }), world.program, {
      trusted: false,
    }).calls
    assert.equal(call?.status, 'sent')
    const [other] = restoredState(pending({ to: 'a@b' }), world.program, {
      trusted: false,
      values: lost,
    }).calls
    assert.equal(other?.status, 'sent')
  })

  test('with values that have moved is checked with them, and sent', async (t) => {
    const world = await worldOf(t)
    const state = pending({ to: '[email:1]' })
    const outcome = (values: RestoredValues | undefined) =>
      restoredState(state, world.program, { trusted: false, ...(values !== undefined && { values }) })
        .calls[0]?.status
    assert.equal(outcome(carried), 'sent')
    assert.equal(outcome(undefined), 'done', 'without them, it does not match its schema')
    assert.equal(outcome({ ...carried, reveal: () => null }), 'sent', 'a dry run cannot check it')
    assert.equal(outcome({ ...carried, reveal: () => ({ to: 'no mail' }) }), 'done')
  })

  test('is put to a person also if the model makes it later, and by no rule', async (t) => {
    const world = await worldOf(t)
    const next = placed(world, restored(stateOf({}), world.program, { fork: false, values: lost }))
    const end = await next.resume()
    const [call] = end.calls
    assert.deepEqual([end.status, call?.status, next.sent], ['waiting', 'asking', []])
    assert.match(call?.why ?? '', /were left on the platform/)
    const { plan } = world.program
    for (const [state, args, covered] of [
      [end, WITHHELD, false],
      [end, { to: 'desk' }, true],
      [{ ...end, withheld: undefined as never }, WITHHELD, true],
    ] as const)
      assert.equal(isCovered(parseCallRule('look to=**'), args, plan, state), covered)
  })

  test('is sent in a run that has lost none, and refused if it does not match its schema', async (t) => {
    const world = await worldOf(t, { to: '@ [email withheld]' })
    const end = await placed(world, restored(stateOf({}), world.program, { fork: false })).resume()
    assert.equal(end.status, 'completed')
    const refused = await worldOf(t)
    const next = placed(refused, restored(stateOf({}), refused.program, { fork: false }))
    assert.equal((await next.resume()).status, 'completed')
    assert.deepEqual(next.sent, [])
  })

  test('is still put to a person after a second move', async (t) => {
    const world = await worldOf(t)
    const first = restoredState(stateOf({}), world.program, { fork: false, values: lost })
    assert.equal(first.withheld, true)
    const document = captureOf(world, first)
    assert.equal((document['x-waybill'] as unknown as { run: { withheld: unknown } }).run.withheld, true)
    const second = restored(document, world.program, { fork: false, trusted: false })
    assert.equal((await placed(world, second).resume()).calls[0]?.status, 'asking')
    const asked = {
      ...first,
      calls: [{ id: '1', tool: 'look', args: WITHHELD, key: 'k', effect: 'none', status: 'queued' }],
    }
    const queued = captureOf(world, asked as never)
    assert.equal(restoredState(queued, world.program, { trusted: false }).calls[0]?.status, 'asking')
  })

  test('is put to a person also if a sub-agent makes it that is called later', async (t) => {
    const child = { ...agent('a', { tools: [tool('look')] }), agent_id: ID.replace('0', '1') }
    const orchestration = { subagents: [{ ref: 'a', alias: 'a' }], pipeline: ['a'] }
    const world = await FamilyWorld.open(t, [{ ...agent('p', { orchestration }), agent_id: ID }, child], {
      reads: ['look'],
      tools: { look: () => 1 },
      says: { a: ({ messages }) => (messages.length === 1 ? calls(['1', 'look', WITHHELD]) : 'done') },
    })
    const document = stateOf({ pipeline_position: { current_step: 'a' } })
    const next = placed(world, restored(document, world.program, { fork: false, values: lost }))
    const end = await next.resume()
    assert.equal(end.status, 'waiting')
    const [program] = [...next.program.family.values()]
    const below = next.stateOf(end.calls[0]?.agent?.run_id ?? '', program as never)
    assert.deepEqual([below.withheld, below.calls[0]?.status, next.sent], [true, 'asking', []])
  })
})
