import { defined } from '../../document/defined.ts'
import { asJson, type Json } from '../../document/json.ts'
import { messageOf } from '../../document/message-of.ts'
import { findTools } from '../../plan/find-tools.ts'
import type { Elicitation } from '../elicitation.ts'
import type { Fact } from '../event.ts'
import { HostFailure, ToolFailure, ToolQuestions } from '../ports.ts'
import type { CallEntry } from '../state.ts'
import { askPermission } from './ask-permission.ts'
import { callMemory } from './drive-memory.ts'
import type { EffectContext } from './effect-context.ts'
import type { PiiPort } from './pii-port.ts'

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
          : await tools.call({ tool, args, key: call.key, headers, ...answersOf(call, pii) }, { signal })
    return { type: 'call.answered', call_id: call.id, result, latency_ms: clock.now() - started }
  } catch (error) {
    if (error instanceof HostFailure) throw error
    if (error instanceof ToolQuestions) {
      const { questions, requestState: request_state } = error
      const latency_ms = clock.now() - started
      return { type: 'call.asked', call_id: call.id, questions, ...defined({ request_state }), latency_ms }
    }
    const { code, message, outcome } =
      error instanceof ToolFailure ? error : new ToolFailure('TOOL_ERROR', messageOf(error), 'unknown')
    const latency_ms = clock.now() - started
    return { type: 'call.failed', call_id: call.id, code, message, outcome, latency_ms }
  }
}

/** Returns what was asked and answered, with real values: a server compares it with what it asks again. */
function answersOf(
  { elicitation }: CallEntry,
  pii: PiiPort | undefined,
): { readonly elicitation?: Elicitation } {
  if (elicitation?.answers === undefined) return {}
  const real = pii?.reveal(asJson(elicitation)) as Elicitation | undefined
  return { elicitation: real ?? elicitation }
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
