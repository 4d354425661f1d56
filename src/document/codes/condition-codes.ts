import type { CodeEntries } from './code-entry.ts'

export const CONDITION_CODES = {
  CONDITION_TYPE: {
    meaning: 'A condition is neither a string nor an object.',
    remedy: 'Write an object with `lang` and `expr`.',
  },
  CONDITION_LANG_MISSING: {
    meaning: 'The condition names no language.',
    remedy: 'Add `lang`.',
  },
  CONDITION_LANG_UNKNOWN: {
    meaning: 'The language of the condition is not supported.',
    remedy: 'Use a language that the hint lists.',
  },
  EXPR_MISSING: {
    meaning: 'The language needs an expression, but the condition has none.',
    remedy: 'Add `expr`.',
  },
  EXPR_INVALID: {
    meaning:
      'The expression is not valid in its language, or uses a function that this evaluator does not have; the message gives the position. In a definition it is a warning: the condition is unevaluable.',
    remedy: 'Follow the hint.',
    severity: 'varies',
  },
} satisfies CodeEntries
