import type { JsonObject } from '../../document/json.ts'
import type { Program } from '../../plan/plan.ts'
import type { CallEntry, RunState } from '../state.ts'
import { conditionPayload } from './condition-payload.ts'
import { taintOf } from './taint.ts'

/**
 * Whether a call must be approved by a person before it leaves, and why (AAIF §4.9 human_in_the_loop). A trigger
 * narrows it; one that cannot be decided means that approval is needed. At strict and above so does a write that
 * carries what an untrusted source said to a destination that the user did not name.
 */
export function approvalNeeded(
  program: Program,
  state: RunState,
  call: { readonly tool: string; readonly args: JsonObject },
): string | null {
  const { plan } = program
  const tool = program.tool.get(call.tool)
  if (plan.rehearsal || tool === undefined) return null
  if (tool.gate === 'ask') {
    const trigger = program.approvalTrigger
    if (trigger === null) return tool.reason ?? 'every write call needs approval'
    const members = conditionPayload(plan, state, state.input, null)
    const payload = {
      ...members,
      action: call.tool,
      tool: { name: call.tool, effect: tool.effect, protocol: tool.protocol },
      args: call.args,
      arguments: call.args,
    }
    const { outcome, reason } = trigger.evaluate(payload)
    if (outcome === 'true') return 'the trigger of human_in_the_loop holds'
    if (outcome === 'unevaluable') return `the trigger cannot be decided, so approval is needed: ${reason}`
  }
  const strict = plan.safety_level === 'strict' || plan.safety_level === 'regulated'
  return strict && tool.effect === 'write' ? taintOf(plan, state, call.args) : null
}

/** The ledger's entry of a call that has passed every other gate. */
export function letGoOrAsk(program: Program, state: RunState, entry: CallEntry, at: number): CallEntry {
  const why = approvalNeeded(program, state, entry)
  return why === null ? { ...entry, status: 'sent' } : { ...entry, status: 'asking', asked_at: at, why }
}

/** When a call that asks lapses, or null when it never does. */
export function lapsesAt(program: Program, call: CallEntry): number | null {
  const limit = program.plan.approval?.timeout_ms
  return limit === undefined || call.status !== 'asking' || call.asked_at === undefined
    ? null
    : call.asked_at + limit
}
