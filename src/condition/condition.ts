/** A Condition of AAIF §5: a string for people, which is never evaluated, or an expression in a language. */
export type Condition = string | StructuredCondition

export interface StructuredCondition {
  /** One of {@link CONDITION_LANGUAGES}; others are unevaluable. */
  readonly lang: string
  /** A string, or a rule object for `jsonlogic`; `always` and `never` need none. */
  readonly expr?: unknown
  /** The same in natural language. Never evaluated: `expr` decides (AAIF §5). */
  readonly nl?: string
}

export interface ConditionResult {
  readonly outcome: 'true' | 'false' | 'unevaluable'
  /** The reason and the remedy; only with `unevaluable`. */
  readonly reason?: string
}

/** All supported languages; a platform lists them in its manifest (`condition_languages`). */
export const CONDITION_LANGUAGES = ['jsonpath', 'jmespath', 'cel', 'jsonlogic', 'always', 'never'] as const
export type ConditionLanguage = (typeof CONDITION_LANGUAGES)[number]

export function isConditionLanguage(lang: unknown): lang is ConditionLanguage {
  return (CONDITION_LANGUAGES as readonly unknown[]).includes(lang)
}
