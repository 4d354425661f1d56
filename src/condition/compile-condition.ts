import { messageOf } from '../document/message-of.ts'
import { Budget } from './budget.ts'
import type { Condition, ConditionResult } from './condition.ts'
import { viewPayload } from './payload-view.ts'
import type { Predicate } from './predicate.ts'
import { readCondition } from './read-condition.ts'
import { Unevaluable } from './unevaluable.ts'

/** A condition, ready to be asked many times. */
export interface CompiledCondition {
  /**
   * Decides over one payload. The same payload always gives the same result: nothing of the machine, the clock or
   * earlier calls goes into it, and what it may cost is counted, not timed. The payload is never changed.
   * Throws nothing: what cannot be decided is `unevaluable`, with the reason.
   */
  evaluate(payload: unknown): ConditionResult
}

/**
 * Compiles a Condition once. Always gives something to ask: a condition in plain words, in an unknown language or
 * with a bad expression is `unevaluable` whatever the payload. No model is ever asked what `nl` or a string means.
 *
 * What expressions see: the members of the payload are top-level names (members of `$` in JSONPath), and the whole
 * payload is also `input`, unless it has a member `input` itself. A payload that is no object is `$` in JSONPath,
 * `@` in JMESPath, `{"var": ""}` in JsonLogic and `input` in CEL.
 */
export function compileCondition(condition: Condition): CompiledCondition {
  const { predicate, findings } = readCondition(condition)
  if (predicate !== undefined) return { evaluate: (payload) => evaluate(predicate, payload) }
  const result = unevaluable(findings[0]?.message ?? 'it is no condition', findings[0]?.hint)
  return { evaluate: () => result }
}

/** {@link compileCondition} and one evaluation. */
export function evaluateCondition(condition: Condition, payload: unknown): ConditionResult {
  return compileCondition(condition).evaluate(payload)
}

function evaluate(predicate: Predicate, payload: unknown): ConditionResult {
  try {
    return { outcome: predicate(viewPayload(payload), new Budget()) ? 'true' : 'false' }
  } catch (error) {
    if (error instanceof Unevaluable) return unevaluable(error.message, error.hint)
    if (error instanceof RangeError) return unevaluable('it nests too deep, or makes too long a text')
    return unevaluable(messageOf(error))
  }
}

function unevaluable(reason: string, hint?: string): ConditionResult {
  return { outcome: 'unevaluable', reason: hint === undefined ? reason : `${reason} (${hint})` }
}
