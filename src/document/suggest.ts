import { createRequire } from 'node:module'
import type * as Levenshtein from 'fastest-levenshtein'

// Loaded with the first typo.
const require = createRequire(import.meta.url)

/** The known word that a mistyped one most likely means, or undefined when none is near. */
export function suggest(word: string, known: readonly string[]): string | undefined {
  // Longer words are no typo, and comparing them would cost their length squared.
  if (word.length > 64 || known.length === 0) return undefined
  const plain = simplify(word)
  const same = known.find((candidate) => simplify(candidate) === plain)
  if (same !== undefined) return same
  const { closest, distance } = require('fastest-levenshtein') as typeof Levenshtein
  const nearest = closest(plain, known.map(simplify))
  const match = known.find((candidate) => simplify(candidate) === nearest)
  const edits = distance(plain, nearest)
  // Two letters in the wrong order are two edits and one slip.
  if (
    edits <= Math.max(1, Math.floor(plain.length / 4)) ||
    (edits === 2 && letters(plain) === letters(nearest))
  ) {
    return match
  }
  return plain.length >= 4 ? known.find((candidate) => simplify(candidate).startsWith(plain)) : undefined
}

/** Case and separators aside: `maxTokens`, `max-tokens` and `MAX_TOKENS` are one word. */
function simplify(word: string): string {
  return word.toLowerCase().replaceAll(/[-_. ]/g, '')
}

function letters(word: string): string {
  return [...word].sort().join('')
}
