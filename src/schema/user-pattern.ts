import { createRequire } from 'node:module'
import type { RE2JS } from 're2js'
import { plainPattern } from './plain-pattern.ts'

/** The interface that Ajv requires of a regular expression. */
export interface LinearPattern {
  test(text: string): boolean
  toString(): string
}

const require = createRequire(import.meta.url)
/** Maximum length of a pattern; longer patterns are not written by people. */
const MAX_PATTERN_LENGTH = 2_000
/** The translation of the engine drops the backslash, and would look for the text `k<name>`. */
const NAMED_BACK_REFERENCE = /(?:^|[^\\])(?:\\\\)*\\k</

/**
 * Compiles a pattern from an untrusted document to a matcher with linear run time: a pattern of ten characters can
 * block the built-in engine for years.
 * @returns null if the pattern is invalid, or needs features that a linear engine does not have (look-around,
 * back-references).
 */
export function compileLinearPattern(source: string): LinearPattern | null {
  if (source.length > MAX_PATTERN_LENGTH || NAMED_BACK_REFERENCE.test(source)) return null
  const plain = plainPattern(source)
  if (plain !== null) return { test: (text) => plain.test(text), toString: () => `/${source}/` }
  // Loaded at the first pattern that is not plain: most documents have none, and the module takes 10-25 ms.
  const { RE2JS: engine } = require('re2js') as { RE2JS: typeof RE2JS }
  try {
    const compiled = engine.compile(engine.translateRegExp(source))
    return { test: (text) => compiled.matcher(text).find(), toString: () => `/${source}/` }
  } catch {
    return null
  }
}
