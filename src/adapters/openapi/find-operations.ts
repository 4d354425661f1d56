import type { Json } from '../../document/json.ts'
import { openUnusableParts } from '../../schema/open-unusable-parts.ts'
import type { ApiDocument } from './api-document.ts'
import type { SignIn } from './binding.ts'
import { argumentsOf } from './operation-arguments.ts'
import { type Operation, readsOnly } from './operations.ts'
import { rankOperations } from './rank-operations.ts'

const DEFAULT_LIMIT = 5
/** Maximum characters of all schemas in one answer; further operations are listed without schemas. */
const LARGEST_ANSWER = 30_000

/** Facts about operations that the search itself does not know. */
export interface OperationFacts {
  readonly signInOf?: (operation: Operation) => SignIn | undefined
  /** Returns why an operation cannot be called for another reason than its arguments. */
  readonly whyNot?: (operation: Operation) => string | undefined
}

/** Returns the operations that fit a sentence or some keywords best, each with its parameters_schema. */
export function findOperations(
  document: ApiDocument,
  operations: readonly Operation[],
  query: string,
  limit = DEFAULT_LIMIT,
  { signInOf = () => undefined, whyNot = () => undefined }: OperationFacts = {},
): Json {
  const scored = rankOperations(document, operations, query)
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
