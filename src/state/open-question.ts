import { isDeepStrictEqual } from 'node:util'
import type { AgentState, ApprovalRequest, PendingToolCall } from '../spec/aaif/generated/state.ts'

/** A question to a person that was open when another platform captured the state. */
export interface OpenQuestion {
  readonly why: string
  /** When the action counts as denied, in milliseconds since the epoch; null: never. */
  readonly lapsesAt: number | null
}

/** A pending call of a state of another platform, with the question about it, if there is one. */
export interface ForeignCall extends PendingToolCall {
  readonly question?: OpenQuestion
}

/**
 * Returns the pending calls of a state of another platform. The action that awaits approval is one of them: other platforms
 * do not list it before it is approved (AAIF §8.1 `approval_request`).
 */
export function foreignPending({
  pending_tool_calls: pending = [],
  approval_request: request,
}: AgentState): readonly ForeignCall[] {
  const { tool_name, arguments: args } = request?.pending_action ?? {}
  if (request === undefined || tool_name === undefined) return pending
  const question = questionOf(request)
  const asked = pending.findIndex(
    (call) => call.tool_name === tool_name && (args === undefined || isDeepStrictEqual(call.arguments, args)),
  )
  if (asked >= 0) return pending.map((call, index) => (index === asked ? { ...call, question } : call))
  const id = freeId(pending.map((call) => call.id))
  return [...pending, { id, tool_name, arguments: args ?? {}, status: 'pending', question }]
}

function freeId(taken: readonly string[]): string {
  for (let n = 1; ; n++) if (!taken.includes(`approval_${n}`)) return `approval_${n}`
}

/** The text is that of another platform, and is shown to a person. */
const LONGEST_TEXT = 500

function questionOf({ trigger_description, approver_hint, timeout_at }: ApprovalRequest): OpenQuestion {
  const why = trigger_description ?? 'the platform that captured this state asked a person about this call'
  const whom = approver_hint === undefined ? '' : ` (for ${approver_hint})`
  const lapses = timeout_at === undefined ? Number.NaN : Date.parse(timeout_at)
  return {
    why: `${why}${whom}`.slice(0, LONGEST_TEXT),
    lapsesAt: Number.isNaN(lapses) ? null : lapses,
  }
}
