import type { Budget } from './budget.ts'
import type { ViewValue } from './payload-view.ts'

/**
 * Decides over a payload; pure.
 * @throws Unevaluable, and whatever the library of a language throws when an expression fails
 */
export type Predicate = (payload: ViewValue, budget: Budget) => boolean
