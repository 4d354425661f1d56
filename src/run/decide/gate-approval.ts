import { isDeepStrictEqual } from 'node:util'
import type { JsonObject } from '../../document/json.ts'
import type { Program } from '../../plan/plan.ts'
import type { CallEntry, RunState } from '../state.ts'
import { conditionPayload } from './condition-payload.ts'
import { deniedBefore } from './denied-before.ts'
import { lacksValues, WITHHELD } from './lacks-values.ts'
import { COPIED, mayBeSentElsewhere } from './record-copied.ts'
import { taintOf } from './taint.ts'

/**
 * Returns why a person must approve a call before it is sent, or null if no approval is needed (AAIF §4.9
 * human_in_the_loop). A trigger limits which calls need approval; if it cannot be evaluated, approval is
 * needed. At level strict and above, a write also needs approval if it sends text of an untrusted source to a
 * destination that the user did not name. A call whose real values were left behind by a move always needs it.
 */
export function approvalNeeded(
  program: Program,
  state: RunState,
  call: { readonly tool: string; readonly args: JsonObject },
): string | null {
  const { plan } = program
  const tool = program.tool.get(call.tool)
  if (tool === undefined || (plan.rehearsal && plan.rehearsal_asks !== true)) return null
  if (lacksValues(state, call.args)) return WITHHELD
  if (tool.gate === 'ask') {
    const trigger = program.approvalTrigger
    // In a rehearsal, the reason of a tool says what a real run would deny.
    if (trigger === null)
      return (plan.rehearsal ? undefined : tool.reason) ?? 'every write call needs approval'
    const members = conditionPayload(plan, state, state.input, null)
    const payload = {
      ...members,
      action: call.tool,
      tool: { name: call.tool, effect: tool.effect, protocol: tool.protocol },
      args: call.args,
      arguments: call.args,
    }
    const { outcome, reason } = trigger.evaluate(payload)
    if (outcome === 'true') return 'the trigger of human_in_the_loop is true'
    if (outcome === 'unevaluable') return `the trigger cannot be evaluated, so approval is needed: ${reason}`
  }
  if (state.unsettled.some((sent) => sent.tool === call.tool && isDeepStrictEqual(sent.args, call.args)))
    return 'the same call was sent in an interrupted turn, and it is not known whether it took effect'
  const strict = plan.safety_level === 'strict' || plan.safety_level === 'regulated'
  return strict && tool.effect === 'write' ? taintOf(plan, state, call.args) : null
}

/** Returns the ledger's entry of a call that has passed every other gate: sent, or waiting for approval. */
export function sendOrRequestApproval(
  program: Program,
  state: RunState,
  entry: CallEntry,
  at: number,
): CallEntry {
  // Refused while the judge has reviewed it.
  const denied = deniedBefore(state, entry)
  if (denied !== null) return { ...entry, status: 'done', result: denied, error: true }
  if (mayBeSentElsewhere(program, state, entry)) return { ...entry, status: 'unknown', why: COPIED }
  const why = approvalNeeded(program, state, entry)
  return why === null ? { ...entry, status: 'sent' } : { ...entry, status: 'asking', asked_at: at, why }
}

/** Returns when the approval of a call, or the answer to its server, times out (ms since the epoch), or null if it never does. */
export function approvalTimeoutAt({ plan }: Pick<Program, 'plan'>, call: CallEntry): number | null {
  if (call.status !== 'asking' && call.status !== 'input_required') return null
  if (call.asked_at === undefined) return null
  const limit = plan.approval?.timeout_ms
  const times = [...(limit === undefined ? [] : [call.asked_at + limit]), call.lapses_at ?? Infinity]
  const first = Math.min(...times)
  return first === Infinity ? null : first
}
