import type { Json } from '../../document/json.ts'
import { openUnusableParts } from '../../schema/open-unusable-parts.ts'
import type { ApiDocument } from './api-document.ts'
import type { SignIn } from './binding.ts'
import { argumentsOf } from './operation-arguments.ts'
import { type Operation, readsOnly } from './operations.ts'

const DEFAULT_LIMIT = 5
/** Maximum characters of all schemas in one answer; further operations are listed without schemas. */
const LARGEST_ANSWER = 30_000

/** Facts about operations that the search itself does not know. */
export interface OperationFacts {
  readonly signInOf?: (operation: Operation) => SignIn | undefined
  /** Returns why an operation cannot be called for another reason than its arguments. */
  readonly whyNot?: (operation: Operation) => string | undefined
}

/**
 * Returns the operations that match some keywords best, each with its parameters_schema. An exact name is first;
 * otherwise keywords weigh most in the name, then in path, tags and summary, then in the description.
 */
export function findOperations(
  document: ApiDocument,
  operations: readonly Operation[],
  query: string,
  limit = DEFAULT_LIMIT,
  { signInOf = () => undefined, whyNot = () => undefined }: OperationFacts = {},
): Json {
  const words = wordsOf(query)
  const scored = operations
    .map((operation) => ({ operation, score: scoreOf(operation, query.trim(), words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score || a.operation.name.localeCompare(b.operation.name))
  let left = LARGEST_ANSWER
  const found = scored.slice(0, limit).map(({ operation }) => {
    const { name, method, path, summary, description } = operation
    const { parameters_schema, notes, unavailable } = argumentsOf(document, operation, signInOf(operation))
    const never = whyNot(operation) ?? unavailable
    if (never !== undefined)
      return {
        operation: name,
        method,
        path,
        cannot_be_called: never,
        summary: (summary || description).slice(0, 300),
      }
    left -= JSON.stringify(parameters_schema).length
    return {
      operation: name,
      call_with: readsOnly(operation) ? 'read' : 'write',
      method,
      path,
      summary: (summary || description).slice(0, 300),
      ...(notes.length > 0 && { not_sent: notes.join('; ') }),
      ...(left > 0
        ? { parameters_schema: openUnusableParts(parameters_schema).schema }
        : { note: 'its arguments are omitted because of their length; search for its name alone' }),
    }
  })
  const tags = [...new Set(operations.flatMap((operation) => operation.tags))].slice(0, 60)
  return {
    found,
    matching: scored.length,
    ...(found.length === 0 && { hint: 'no operation matches; try other keywords', tags }),
  }
}

function scoreOf(operation: Operation, exact: string, words: readonly string[]): number {
  if (exact === operation.name || exact === operation.id) return 1_000_000
  const name = wordsOf(operation.name)
  const near = wordsOf(
    `${operation.path} ${operation.tags.join(' ')} ${operation.summary} ${operation.method}`,
  )
  const far = wordsOf(operation.description)
  let score = 0
  let hits = 0
  for (const word of words) {
    const here = 6 * best(word, name) + 3 * best(word, near) + best(word, far)
    score += here
    if (here > 0) hits += 1
  }
  // Among equal scores shorter names are first: `listPets` before `listPetsOfOwnerByStatus`.
  return hits === 0 ? 0 : score * hits - name.length / 100
}

/** 1 for an equal word, less for one with the same beginning (plural, tense). */
function best(word: string, among: readonly string[]): number {
  let found = 0
  for (const other of among) {
    if (other === word) return 1
    const stem = Math.min(word.length, other.length)
    if (stem >= 3 && word.slice(0, stem) === other.slice(0, stem)) found = Math.max(found, 0.6)
  }
  return found
}

/** Splits `listPetsByStatus`, `list-pets` and `/pets/{status}` into words. */
function wordsOf(text: string): readonly string[] {
  return text
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}
