import type { Code } from '../../document/codes.ts'
import type { Json, JsonObject } from '../../document/json.ts'
import type { PlannedTool } from '../../plan/plan.ts'
import { type CallOutcome, ToolFailure } from '../../run/ports.ts'

/**
 * The rule for answers that cannot be used, for tools of every protocol:
 *
 * 1. An answer is given as far as it can be read.
 * 2. If nothing of it can be read, a write is reported as made ({@link madeWithout}), because a model repeats a call that
 *    failed. A read fails: repeating it does no harm.
 * 3. An error of the tool is a failure. If the status is one of a gateway, it is unknown whether the tool has acted.
 * 4. Without an answer it is unknown, and a person decides, unless the call certainly was not sent.
 */

/**
 * Statuses that gateways and balancers send in place of the tool, also when the connection to it broke after it had acted:
 * 502 to 504 (RFC 9110 §15.6), and 520 to 527 and 530 of a widespread network. A tool that is overloaded answers 503 as well, but
 * nothing tells the two apart.
 */
function isGateway(status: number): boolean {
  return (status >= 502 && status <= 504) || (status >= 520 && status <= 527) || status === 530
}

/** Returns what is known of a call that was answered with an error status. */
export function outcomeOfStatus(status: number): CallOutcome {
  return isGateway(status) ? 'unknown' : 'answered'
}

/** What is known of an answer that cannot be read. */
export interface UnreadableAnswer {
  readonly code: Code
  /** Ends the sentence "its answer …". */
  readonly why: string
  /** What else is known: a status, a size, the beginning. */
  readonly seen?: JsonObject
}

/**
 * Returns what the model gets for a write whose answer cannot be read.
 * @throws ToolFailure `answered` for a read
 */
export function madeWithout(
  { name, effect }: Pick<PlannedTool, 'name' | 'effect'>,
  { code, why, seen = {} }: UnreadableAnswer,
): Json {
  if (effect === 'read')
    throw new ToolFailure(code, `${name} has answered, but its answer ${why}`, 'answered')
  return { ...seen, note: `The call was made. Do not repeat it: only its answer ${why}.` }
}
