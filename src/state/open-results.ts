import { messageTokens } from '../run/decide/prompt-tokens.ts'
import type { CallEntry, Message, RunState } from '../run/state.ts'
import { type CapturedMessages, capturedMessage } from './capture-messages.ts'

/**
 * Returns the results of the calls of the open round that are known already, as messages of a state. The record adds them
 * to the conversation when all calls of the round have ended; other platforms, which have no ledger, would take these calls
 * for lost ones, and might send them again.
 * @param from how many messages the conversation of the state has before them
 */
export function openResults({ calls, at }: Pick<RunState, 'calls' | 'at'>, from: number): CapturedMessages {
  const results = calls.filter(isAnswered).map(
    (call): Message => ({
      role: 'tool',
      call_id: call.id,
      tool: call.tool,
      result: call.result ?? null,
      ...(call.error === true && { error: true }),
    }),
  )
  return {
    conversation: results.flatMap((result) => capturedMessage(result, at, messageTokens(result))),
    carried: results.map((_result, index) => ({ at: from + index, open: true })),
  }
}

/** The topology, and not the model, calls its sub-agents. */
function isAnswered({ status, agent, tool }: CallEntry): boolean {
  return status === 'done' && (agent === undefined || tool !== agent.alias)
}
