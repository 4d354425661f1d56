import type { Fact } from '../event.ts'
import type { CallEntry } from '../state.ts'
import { callHook } from './call-hook.ts'
import type { EffectContext } from './effect-context.ts'

/**
 * Asks on_tool_call whether a call may be sent; a hook that fails denies it. The hook's answer is on record when
 * this returns: after a crash the record must show that the call was allowed before it was sent.
 * @returns the failure of a call that must not be sent, or null
 */
export async function askPermission(call: CallEntry, context: EffectContext): Promise<Fact | null> {
  const { program, state, ports } = context
  const { fact, veto } = await callHook(program.plan, 'on_tool_call', state, ports, call)
  if (fact === null) return null
  await context.record(fact)
  if (veto === null) return null
  return {
    type: 'call.failed',
    call_id: call.id,
    code: 'TOOL_VETOED',
    message: `${call.tool} was not called: ${veto}`,
    outcome: 'unsent',
    latency_ms: 0,
  }
}
