import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type AgentState,
  assertStateChecksum,
  compareStates,
  parseAgentState,
  readHandoff,
  streamedChecksum,
  streamedState,
  summarizeState,
  withStateChecksum,
  writeHandoff,
} from 'waybill/state'

const state = (members: Partial<AgentState> = {}): AgentState => ({
  sc_standard: 'SC-006',
  state_id: '0b9f3f0e-6d52-4d1f-8f5a-5f0c9f6f1a01',
  agent_id: '5b0f6a0e-92a4-4f8a-9d57-3c1f6e2b8a10',
  run_id: '01a1ffb2-5c00-7000-8000-000000000000',
  checkpoint_at: '2026-03-01T09:00:00Z',
  status: 'paused',
  conversation: [{ role: 'user', content: 'go' }],
  ...members,
})

test('waybill/state checks a state as the commands do', () => {
  const captured = withStateChecksum({ ...state() } as never)
  assertStateChecksum(captured)
  assert.equal(parseAgentState(captured).status, 'paused')
  assert.throws(() => assertStateChecksum({ ...captured, iteration: 1 }), { code: 'STATE_CHECKSUM_MISMATCH' })
  assert.throws(() => parseAgentState({ ...captured, status: 'gone' }), { code: 'NOT_IN_ENUM' })
})

test('states are compared member by member, without their ids, times and provenance', () => {
  const other = { state_id: 'x', checkpoint_at: 'x', provenance: { source_platform: 'x' } }
  assert.deepEqual(compareStates(state(), state(other)), [])
  assert.deepEqual(
    compareStates(
      state({ iteration: 1, variables: { a: 1, 'b/c': [1, 2] } }),
      state({ conversation: [], variables: { a: 1, 'b/c': [1, 3, 4] } }),
    ),
    [
      { path: '/conversation/0', before: { role: 'user', content: 'go' } },
      { path: '/iteration', before: 1 },
      { path: '/variables/b~1c/1', before: 2, after: 3 },
      { path: '/variables/b~1c/2', after: 4 },
    ],
  )
})

test('a summary says what is in a state, and how exactly it continues', () => {
  assert.deepEqual(summarizeState(state({ status: 'completed' })).continues, 'no: the run has ended')
  const summary = summarizeState(
    state({
      pending_tool_calls: [{ id: '1', tool_name: 'send', arguments: {} }],
      subagent_states: [{ alias: 'a', agent_id: state().agent_id }],
      pipeline_position: { current_step: 'b' },
      memory_snapshot: [{ scope: 'task', key: 'k', content: 'v' }],
    }),
  )
  const { messages, memory, pending_calls, subagents, step, continues } = summary
  assert.deepEqual(
    [messages, memory, pending_calls, subagents, step],
    ['1 (about 0 tokens)', ['task/k'], ['send (pending)'], ['a (pending)'], 'b'],
  )
  assert.match(String(continues), /the boundary of its turn \(the state has no x-waybill\)/)
})

test('a streaming handoff that is written is read', async () => {
  async function* bytes() {
    for (const line of writeHandoff(state(), { token: 'a token' })) yield new TextEncoder().encode(line)
  }
  const tokens: string[] = []
  const read = await readHandoff(bytes(), {
    verifyInit: async ({ migration_token }) => {
      tokens.push(migration_token)
    },
  })
  const streamed = streamedState(state())
  assert.deepEqual(read, { state: streamed, checksum: streamedChecksum(streamed) })
  assert.deepEqual(tokens, ['a token'])
})

test('the messages of a streaming handoff are taken as they arrive, and the state does not contain them', async () => {
  async function* bytes() {
    for (const line of writeHandoff(state(), { token: 'a token' })) yield new TextEncoder().encode(line)
  }
  const taken: unknown[] = []
  const read = await readHandoff(bytes(), {
    verifyInit: async () => async (messages) => {
      taken.push(...messages)
    },
  })
  const streamed = streamedState(state())
  assert.deepEqual(read, { state: { ...streamed, conversation: [] }, checksum: streamedChecksum(streamed) })
  assert.deepEqual(taken, state().conversation)
})
