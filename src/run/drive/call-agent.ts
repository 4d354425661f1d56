import type { Fact } from '../event.ts'
import type { CallEntry } from '../state.ts'
import { askPermission } from './ask-permission.ts'
import type { EffectContext } from './effect-context.ts'

/**
 * Drives a sub-agent's run. If the model called the sub-agent as a tool, on_tool_call must allow it first.
 * @throws whatever prevents the sub-agent's run from being driven or recorded
 */
export async function callAgent(
  call: CallEntry,
  cancelled: boolean,
  context: EffectContext,
): Promise<Fact | null> {
  const { program, state, ports, signal, trace } = context
  const { agents } = ports
  await context.begun
  const veto = program.tool.has(call.tool) && !cancelled ? await askPermission(call, context) : null
  if (veto !== null) return veto
  if (signal.aborted) return null
  if (agents === undefined) {
    return {
      type: 'call.failed',
      call_id: call.id,
      code: 'SUBAGENT_UNAVAILABLE',
      message: 'this host drives no sub-agents',
      outcome: 'unsent',
      latency_ms: 0,
    }
  }
  // An error here is not a failure of the sub-agent: only the recorded end of its run can be one.
  return agents(call, state, {
    signal,
    cancelled,
    trace_parent: trace.parentOf(program.plan, state, trace.callSpan(call)),
    control: (control) => context.control(control),
  })
}
