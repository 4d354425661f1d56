import { isObject, type Json, type JsonObject } from '../../document/json.ts'

/** Data with the name of the schema by which it is to be read (§5). */
export interface StructuredBody {
  readonly schema: string
  readonly data: Json
}

/**
 * The structured body of an artifact, given as an object or as a JSON string that holds it.
 * @returns undefined for what is neither.
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
