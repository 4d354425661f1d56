import { isObject, type Json, type JsonObject } from '../../document/json.ts'

/** Data with the name of its schema (§5). */
export interface StructuredBody {
  readonly schema: string
  readonly data: Json
}

/**
 * Returns the structured body of an artifact, given as an object or as a JSON string.
 * @returns undefined if the body is neither.
 */
export function readStructuredBody(body: Json): StructuredBody | undefined {
  const object = typeof body === 'string' ? parse(body) : body
  if (!isObject(object) || !Object.hasOwn(object, 'data')) return undefined
  const { schema, data } = object as JsonObject & { data: Json }
  return typeof schema === 'string' && schema !== '' ? { schema, data } : undefined
}

function parse(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
