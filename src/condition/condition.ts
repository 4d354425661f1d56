/** A Condition of AAIF §5: words for people, which decide nothing, or an expression in a language. */
export type Condition = string | StructuredCondition

export interface StructuredCondition {
  /** One of {@link CONDITION_LANGUAGES}; others are unevaluable. */
  readonly lang: string
  /** A string, or a rule object for `jsonlogic`; `always` and `never` need none. */
  readonly expr?: unknown
  /** The same in plain words. Never read: `expr` decides (AAIF §5). */
  readonly nl?: string
}

export interface ConditionResult {
  readonly outcome: 'true' | 'false' | 'unevaluable'
  /** Why there is no answer, and what to do about it; with `unevaluable` only. */
  readonly reason?: string
}

/** Every language that is evaluated here; a platform lists them in its manifest (`condition_languages`). */
export const CONDITION_LANGUAGES = ['jsonpath', 'jmespath', 'cel', 'jsonlogic', 'always', 'never'] as const
export type ConditionLanguage = (typeof CONDITION_LANGUAGES)[number]

export function isConditionLanguage(lang: unknown): lang is ConditionLanguage {
  return (CONDITION_LANGUAGES as readonly unknown[]).includes(lang)
}
