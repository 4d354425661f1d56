import { isObject, type Json, type JsonObject, valueAt } from '../../src/document/json.ts'
import { fromPointer } from '../../src/document/json-pointer.ts'

/** The refusal of a request that matches the document. */
export interface Refusal {
  /** The method and the path. */
  readonly operation: string
  readonly check: string
  /** The body of the answer. */
  readonly problem: Json
}

/** Returns whether the document announces that a request which matches its schema may be refused with this problem. */
export function isAnnounced(document: Json, { operation, check, problem }: Refusal): boolean {
  if (!isObject(problem)) return false
  // The suite speaks plain HTTP, which the answer 426 is about.
  if (problem.code === 'TLS_REQUIRED') return true
  if (check !== 'positive_data_acceptance') return false
  const [method = '', path = ''] = operation.split(' ')
  const described = valueAt(document, `/paths/${path.replaceAll('/', '~1')}/${method.toLowerCase()}`)
  if (!isObject(described)) return false
  if (problem.code === 'CURSOR_INVALID')
    return (Array.isArray(described.parameters) ? described.parameters : []).some(
      (one) => isObject(one) && one.name === 'cursor' && valueAt(one, '/schema/x-opaque') === true,
    )
  const schema = valueAt(described, '/requestBody/content/application~1json/schema')
  return isObject(schema) && isExcused(document, schema, placeOf(problem))
}

/** Returns the place that a problem names. Clients of the OpenAI API get it with dots. */
export function placeOf({ pointer, error }: JsonObject): string {
  if (isObject(error)) return `/${String(error.param ?? '').replaceAll('.', '/')}`
  return typeof pointer === 'string' ? pointer : ''
}

/** Returns whether a place of a body, or one that contains it, names a rule that JSON Schema cannot express. */
export function isExcused(document: Json, schema: JsonObject, pointer: string): boolean {
  let nodes = variantsOf(document, schema)
  for (const step of [undefined, ...fromPointer(pointer)]) {
    if (step !== undefined)
      nodes = nodes.flatMap((node) => innerOf(node, step)).flatMap((node) => variantsOf(document, node))
    if (nodes.some((node) => 'x-further-rule' in node || 'x-opaque' in node)) return true
  }
  return false
}

/** Returns a schema and its kinds. */
function variantsOf(document: Json, given: JsonObject): readonly JsonObject[] {
  const schema = resolved(document, given)
  const kinds = Array.isArray(schema.oneOf) ? schema.oneOf.filter(isObject) : []
  return [schema, ...kinds.map((one) => resolved(document, one))]
}

function innerOf({ properties, items }: JsonObject, step: string): readonly JsonObject[] {
  const member = isObject(properties) && Object.hasOwn(properties, step) ? properties[step] : undefined
  return [member, items].filter(isObject)
}

/** Follows a reference of a document. @throws TypeError if it leads nowhere */
export function resolved(document: Json, schema: JsonObject): JsonObject {
  if (typeof schema.$ref !== 'string') return schema
  const found = valueAt(document, schema.$ref.slice(1))
  if (!isObject(found)) throw new TypeError(`no schema ${schema.$ref}`)
  return found
}
