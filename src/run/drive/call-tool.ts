import type { Json } from '../../document/json.ts'
import { messageOf } from '../../document/message-of.ts'
import { findTools } from '../../plan/find-tools.ts'
import type { Fact } from '../event.ts'
import { HostFailure, ToolFailure } from '../ports.ts'
import type { CallEntry } from '../state.ts'
import { askPermission } from './ask-permission.ts'
import { callMemory } from './drive-memory.ts'
import type { EffectContext } from './effect-context.ts'

/** Calls a tool, once on_tool_call has allowed it. @throws HostFailure */
export async function callTool(call: CallEntry, context: EffectContext): Promise<Fact | null> {
  const { program, state, ports, signal, trace } = context
  const { clock, pii, tools } = ports
  const { plan } = program
  const tool = program.tool.get(call.tool)
  if (tool === undefined) return null
  await context.begun
  const veto = await askPermission(call, context)
  if (veto !== null) return veto
  if (context.isWithdrawn) return cancelled(call)
  const started = clock.now()
  // Real values are inserted at the last moment: the record and the model know only placeholders.
  const args = pii?.reveal(call.args) ?? call.args
  try {
    const headers = trace.headers(plan, state, trace.callSpan(call))
    const result: Json =
      tool.protocol === 'memory'
        ? await callMemory(pii === undefined ? call : { ...call, args: pii.lasting(call.args) }, context)
        : tool.protocol === 'search'
          ? findTools(plan.tools, String(args.query), typeof args.limit === 'number' ? args.limit : undefined)
          : await tools.call({ tool, args, key: call.key, headers }, { signal })
    return { type: 'call.answered', call_id: call.id, result, latency_ms: clock.now() - started }
  } catch (error) {
    if (error instanceof HostFailure) throw error
    const { code, message, outcome } =
      error instanceof ToolFailure ? error : new ToolFailure('TOOL_ERROR', messageOf(error), 'unknown')
    const latency_ms = clock.now() - started
    return { type: 'call.failed', call_id: call.id, code, message, outcome, latency_ms }
  }
}

function cancelled(call: CallEntry): Fact {
  return {
    type: 'call.failed',
    call_id: call.id,
    code: 'CANCELLED',
    message: 'the run was about to end, so the call was not sent',
    outcome: 'unsent',
    latency_ms: 0,
  }
}
