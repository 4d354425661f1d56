import { messageOf } from '../document/message-of.ts'
import { Budget } from './budget.ts'
import type { Caution } from './caution.ts'
import type { Condition, ConditionResult } from './condition.ts'
import { viewPayload } from './payload-view.ts'
import type { Predicate } from './predicate.ts'
import { readCondition } from './read-condition.ts'
import { Unevaluable } from './unevaluable.ts'

/** A compiled condition that can be evaluated many times. */
export interface CompiledCondition {
  /**
   * Evaluates the condition for one payload. The same payload always gives the same result, independent of the machine,
   * the clock and earlier calls; the cost is counted, not timed. Never changes the payload and never throws: a
   * condition that cannot be evaluated gives `unevaluable` with the reason.
   */
  evaluate(payload: unknown): ConditionResult
}

/**
 * Compiles a Condition. Never throws: a condition in natural language, in an unknown language or with an invalid
 * expression is `unevaluable` for every payload. `nl` and strings are never interpreted by a model.
 *
 * Names in expressions: the members of the payload are top-level names (members of `$` in JSONPath), and the whole
 * payload is also `input`, unless it has a member `input`. A payload that is not an object is `$` in JSONPath, `@` in
 * JMESPath, `{"var": ""}` in JsonLogic and `input` in CEL.
 * @param caution how comparisons of different types are evaluated
 */
export function compileCondition(condition: Condition, caution: Caution = 'portable'): CompiledCondition {
  const { predicate, findings } = readCondition(condition, caution)
  if (predicate !== undefined) return { evaluate: (payload) => evaluate(predicate, payload) }
  const result = unevaluable(findings[0]?.message ?? 'it is not a condition', findings[0]?.hint)
  return { evaluate: () => result }
}

/** Compiles a condition and evaluates it once; see {@link compileCondition}. */
export function evaluateCondition(condition: Condition, payload: unknown): ConditionResult {
  return compileCondition(condition).evaluate(payload)
}

function evaluate(predicate: Predicate, payload: unknown): ConditionResult {
  try {
    return { outcome: predicate(viewPayload(payload), new Budget()) ? 'true' : 'false' }
  } catch (error) {
    if (error instanceof Unevaluable) return unevaluable(error.message, error.hint)
    if (error instanceof RangeError)
      return unevaluable('it nests too deep, or creates a text that is too long')
    return unevaluable(messageOf(error))
  }
}

function unevaluable(reason: string, hint?: string): ConditionResult {
  return { outcome: 'unevaluable', reason: hint === undefined ? reason : `${reason} (${hint})` }
}
