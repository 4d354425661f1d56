import { createRequire } from 'node:module'
import type * as Levenshtein from 'fastest-levenshtein'

// Loaded with the first typing error.
const require = createRequire(import.meta.url)

/** Returns the known name most similar to a mistyped one, or undefined if none is similar. */
export function suggest(word: string, known: readonly string[]): string | undefined {
  // Longer names are not typing errors, and comparing them takes quadratic time.
  if (word.length > 64 || known.length === 0) return undefined
  const plain = simplify(word)
  const same = known.find((candidate) => simplify(candidate) === plain)
  if (same !== undefined) return same
  const { closest, distance } = require('fastest-levenshtein') as typeof Levenshtein
  const nearest = closest(plain, known.map(simplify))
  const match = known.find((candidate) => simplify(candidate) === nearest)
  const edits = distance(plain, nearest)
  // Two swapped letters count as two edits but are one typing error.
  if (
    edits <= Math.max(1, Math.floor(plain.length / 4)) ||
    (edits === 2 && letters(plain) === letters(nearest))
  ) {
    return match
  }
  return plain.length >= 4 ? known.find((candidate) => simplify(candidate).startsWith(plain)) : undefined
}

/** Ignores case and separators: `maxTokens`, `max-tokens` and `MAX_TOKENS` are the same name. */
function simplify(word: string): string {
  return word.toLowerCase().replaceAll(/[-_. ]/g, '')
}

function letters(word: string): string {
  return [...word].sort().join('')
}
