import { isDeepStrictEqual } from 'node:util'
import { WaybillError } from '../document/issue.ts'
import type { JsonObject } from '../document/json.ts'
import { compileProgram } from '../plan/compile-program.ts'
import type { Plan } from '../plan/plan.ts'
import { mayHoldSealed } from '../policy/pii/sealed-value.ts'
import { refusalOfEdit } from '../run/decide/edit-call.ts'
import type { CallEntry, RunState } from '../run/state.ts'

/** Arguments that a person gives to a call. */
export interface GivenArguments {
  readonly arguments?: JsonObject
}

/**
 * Checks the arguments that a person gives to a waiting call before the decision is stored, because a stored decision
 * cannot be corrected. The run checks them again when it takes them up.
 * @param clean the same without secrets and personal data, as the decision would be stored
 * @throws ARGUMENTS_REFUSED; APPROVAL_VERDICT_INVALID if there are none
 */
export function assertEditable(
  { plan, state }: { readonly plan: Plan; readonly state: RunState },
  call: CallEntry,
  { arguments: given }: GivenArguments,
  { arguments: clean }: GivenArguments,
): void {
  if (given === undefined)
    throw new WaybillError('APPROVAL_VERDICT_INVALID', {
      fault: 'usage',
      message: 'a decision to edit a call needs its arguments',
      at: '/arguments',
      hint: 'give all arguments of the call, also those that do not change',
    })
  // A cleaned value would be sent in place of the real one.
  if (!isDeepStrictEqual(clean, given))
    throw refused('they hold a secret or personal data, which is not stored with a decision', call)
  const refusal = refusalOfEdit(
    compileProgram(plan),
    state,
    call,
    // Placeholders cannot be replaced here, so they match no schema; the run replaces them.
    { args: given, fits: hasPlaceholder(given) },
    Date.now(),
  )
  if (refusal !== null) throw refused(refusal.why, call, refusal.constraint)
}

function hasPlaceholder(args: JsonObject): boolean {
  const text = JSON.stringify(args)
  return mayHoldSealed(text) || /\[[a-z][a-z0-9_-]*:\d+\]/.test(text)
}

function refused(why: string, { tool }: CallEntry, constraint?: string): WaybillError {
  return new WaybillError('ARGUMENTS_REFUSED', {
    fault: 'refused',
    message: `${tool} cannot be called with these arguments: ${why}`,
    at: '/arguments',
    hint:
      constraint === undefined
        ? 'correct the arguments; the question stays open'
        : `the agent has the rule ${JSON.stringify(constraint)}; correct the arguments, or deny the call`,
  })
}
