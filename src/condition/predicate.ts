import type { Budget } from './budget.ts'
import type { ViewValue } from './payload-view.ts'

/**
 * Evaluates a payload; pure.
 * @throws Unevaluable, and the errors of the language libraries for failed expressions
 */
export type Predicate = (payload: ViewValue, budget: Budget) => boolean
