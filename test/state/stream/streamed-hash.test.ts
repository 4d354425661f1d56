import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { AgentState, StateMessage } from '../../../src/spec/aaif/generated/state.ts'
import { StreamedHash } from '../../../src/state/stream/streamed-hash.ts'
import { streamedChecksum, streamedState } from '../../../src/state/stream/streamed-state.ts'

const message = fc.record(
  {
    role: fc.constantFrom('user', 'assistant', 'tool', 'system'),
    content: fc.string({ unit: 'grapheme' }),
    token_count: fc.nat(),
    tool_call_id: fc.string(),
  },
  { requiredKeys: ['role', 'content'] },
) as fc.Arbitrary<StateMessage>

/** With members before and after `conversation`, each of which may be absent. */
const state = fc.record(
  {
    sc_standard: fc.constant('SC-006'),
    state_id: fc.uuid(),
    agent_id: fc.uuid(),
    run_id: fc.uuid(),
    agent_version: fc.string(),
    checkpoint_at: fc.constant('2026-11-24T09:00:00Z'),
    approval_request: fc.record({ trigger_description: fc.string({ unit: 'grapheme' }) }),
    error: fc.record({ code: fc.string() }),
    variables: fc.dictionary(
      fc.string({ unit: 'grapheme' }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    ),
    conversation: fc.array(message),
    'x-waybill': fc.constant({ v: 1 }),
  },
  { requiredKeys: ['sc_standard', 'state_id', 'agent_id', 'conversation'] },
) as unknown as fc.Arbitrary<AgentState>

/** Hashes a state whose conversation arrives in parts of these sizes. */
function digestOf(given: AgentState, sizes: readonly number[]): string {
  const { conversation = [], ...rest } = given
  const hash = new StreamedHash(rest as AgentState)
  let from = 0
  for (const size of [...sizes, conversation.length]) {
    hash.add(conversation.slice(from, from + size))
    from += size
  }
  return hash.digest(rest as AgentState)
}

describe('the checksum of a streamed state', () => {
  test('AAIF-8.3-10: is the same piece by piece as at once, however the conversation is cut', () => {
    fc.assert(
      fc.property(state, fc.array(fc.nat(4), { maxLength: 6 }), (given, sizes) => {
        const whole = streamedState(given)
        assert.equal(digestOf(whole, sizes), streamedChecksum(whole))
      }),
      { numRuns: 500 },
    )
  })

  test('is of the members, whatever their order, and of nothing else', () => {
    const whole = streamedState({
      sc_standard: 'SC-006',
      state_id: 's',
      agent_id: 'a',
      checkpoint_at: '2026-11-24T09:00:00Z',
      status: 'paused',
      conversation: [{ role: 'user', content: 'x' }],
    } as AgentState)
    const turned = Object.fromEntries(Object.entries(whole).reverse()) as unknown as AgentState
    assert.equal(digestOf(turned, []), streamedChecksum(whole))
    for (const change of [{ iteration: 1 }, { agent_id: 'b' }, { conversation: [] }, { variables: { a: 1 } }])
      assert.notEqual(digestOf({ ...whole, ...change }, []), streamedChecksum(whole))
  })

  test('a state without members before its conversation has one too', () => {
    const bare = { conversation: [{ role: 'user', content: 'x' }], status: 'paused' } as unknown as AgentState
    assert.equal(digestOf(bare, []), streamedChecksum(bare))
    const only = { conversation: [] } as unknown as AgentState
    assert.equal(digestOf(only, []), streamedChecksum(only))
  })

  test('members that were hashed already cannot change', () => {
    const hash = new StreamedHash({ agent_id: 'a' })
    assert.throws(() => hash.digest({ agent_id: 'b' } as AgentState), TypeError)
  })
})
