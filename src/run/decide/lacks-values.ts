import type { JsonObject } from '../../document/json.ts'
import { holdsWithheld } from '../../policy/pii/placeholder.ts'
import type { RunState } from '../state.ts'

/** Why a person is asked about a call that {@link lacksValues}. */
export const WITHHELD =
  'values of personal data in it were left on the platform that the run comes from: approve it only if it is right without them, or deny it and give the values in a message'

/**
 * Returns whether a call would be sent with texts such as `[email withheld]` in place of values that a move has left
 * behind. In other runs such texts come from the memory or from tools, and are passed on like any text.
 */
export function lacksValues({ withheld }: Pick<RunState, 'withheld'>, args: JsonObject): boolean {
  return withheld === true && holdsWithheld(args)
}
