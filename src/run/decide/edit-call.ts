import type { JsonObject } from '../../document/json.ts'
import { ownMember } from '../../document/own-member.ts'
import type { Program } from '../../plan/plan.ts'
import type { Decision, FactOf, JudgedBreach } from '../event.ts'
import { originCallOf, unknownByOrigin } from '../origin-calls.ts'
import type { CallEntry, RunState } from '../state.ts'
import { budgetReached } from './budget.ts'
import { breachOfToolCall, mustBeJudged } from './gate-call.ts'
import { rejectsPii } from './gate-pii.ts'
import { mergeDecisions } from './merge-decisions.ts'
import { refusedCall } from './open-round.ts'
import { finishCall } from './settle-round.ts'

/** What is known of edited arguments besides their recorded form. */
export interface EditedArguments {
  readonly args: JsonObject
  /** They match the schema of the tool when placeholders are replaced by the real values. */
  readonly fits?: boolean
  /** Personal data was found in them. */
  readonly personal?: boolean
}

/** Why edited arguments must not be sent. `constraint`: they break a constraint of the agent. */
export interface EditRefusal {
  readonly why: string
  readonly constraint?: string
}

/**
 * Checks the arguments that a person gives to a waiting call, with the checks that the model's own arguments have passed.
 * No further approval is needed: the person has named everything in them.
 * @returns null if they may be sent, or reviewed by the judge
 */
export function refusalOfEdit(
  program: Program,
  state: RunState,
  call: CallEntry,
  { args, fits = false, personal = false }: EditedArguments,
  at: number,
): EditRefusal | null {
  if (personal && rejectsPii(program))
    return { why: 'the arguments hold personal data, which this agent rejects' }
  const mismatch = fits ? null : (program.checkArguments.get(call.tool)?.(args) ?? null)
  if (mismatch !== null) return { why: `the arguments do not match the tool's schema: ${mismatch}` }
  const breach = breachOfEdit(program, state, call, args, at)
  return breach === null ? null : { why: breach.why, constraint: breach.constraint }
}

/** The call itself was counted when it began to wait. */
function breachOfEdit(
  program: Program,
  state: RunState,
  { id, tool }: CallEntry,
  args: JsonObject,
  at: number,
): JudgedBreach | null {
  const { called = 1, succeeded = 0 } = ownMember(state.tally, tool) ?? {}
  const { tally: members } = state
  const before = { ...state, tally: { ...members, [tool]: { called: called - 1, succeeded } } }
  return breachOfToolCall(program, before, { id, tool, args }, [], at)
}

/**
 * Sends a call with the arguments of a person; a judge reviews them first if it reviews such calls. Arguments that must
 * not be sent finish the call: they were acceptable when the person gave them, and the run has continued since.
 */
export function callEdited(
  program: Program,
  state: RunState,
  call: CallEntry,
  { arguments: args = {}, fits, pii = [], by }: FactOf<'person.decided'>,
  at: number,
): Decision {
  const given = { args, fits: fits === true, personal: pii.length > 0 }
  const { unfit: _unfit, ...members } = call
  const entry: CallEntry = { ...members, args, proposed: call.proposed ?? call.args, status: 'sent' }
  const refusal = refusalOfEdit(program, state, call, given, at)
  if (refusal !== null) {
    const { why, constraint } = refusal
    const result =
      constraint === undefined
        ? `the tool was not called with the arguments of ${by}: ${why}`
        : String(refusedCall(entry, { constraint, why }).result)
    const breaches = constraint === undefined ? {} : { breaches: [{ constraint, why, call_id: call.id }] }
    return mergeDecisions(breaches, finishCall(program, state, call, { result, error: true }, at))
  }
  const origin = originCallOf(state, entry)
  // A person has chosen these arguments, so a person decides whether the recorded answer holds.
  if (origin !== null) return { judged: [unknownByOrigin(entry)], reused: [origin] }
  if (!mustBeJudged(program, call.tool)) return { judged: [entry] }
  const over = budgetReached(program, state)
  if (over !== null) return { end: over }
  return {
    judged: [{ ...entry, status: 'judging' }],
    review: { n: state.reviews + 1, subject: 'calls' },
  }
}
