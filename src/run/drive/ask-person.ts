import { approvalTimeoutAt } from '../decide/gate-approval.ts'
import type { Fact } from '../event.ts'
import type { CallEntry } from '../state.ts'
import type { EffectContext } from './effect-context.ts'

/**
 * Asks a person about a call. Returns null if no person can answer here now. After the timeout no person is asked.
 */
export async function askPerson(
  call: CallEntry,
  { program, state, ports, signal }: EffectContext,
): Promise<Fact | null> {
  const lapses = approvalTimeoutAt(program, call)
  if (lapses !== null && lapses <= ports.clock.now()) return { type: 'approval.lapsed', call_id: call.id }
  return (await ports.ask?.(call, state, signal)) ?? null
}
