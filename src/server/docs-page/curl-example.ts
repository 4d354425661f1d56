import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import { ownMember } from '../../document/own-member.ts'

/** Returns a command that sends the request of an operation, with the members that its schema requires. */
export function curlExample(
  method: string,
  path: string,
  operation: JsonObject,
  schemas: JsonObject,
): string {
  const { requestBody, security } = operation
  const [type, body] = contentOf(requestBody)
  // Names in capitals: curl gives braces a meaning of its own.
  const target = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => name.toUpperCase())
  const parts = [
    `curl ${method === 'get' ? '' : `-X ${method.toUpperCase()} `}"$WAYBILL_URL${target}"`,
    ...(security === undefined ? ['-H "Authorization: Bearer $WAYBILL_TOKEN"'] : []),
    ...(type === undefined || type === '*/*' ? [] : [`-H 'Content-Type: ${type}'`]),
    ...(type === undefined
      ? []
      : isObject(body) && body.schema !== undefined
        ? [`-d ${quoted(JSON.stringify(exampleOf(body.schema, schemas)))}`]
        : ['--data-binary @FILE']),
  ]
  return parts.join(' \\\n  ')
}

function contentOf(requestBody: Json | undefined): readonly [string?, Json?] {
  if (!isObject(requestBody) || !isObject(requestBody.content)) return []
  return Object.entries(requestBody.content)[0] ?? []
}

/** For a shell: nothing within single quotes has a meaning. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** Shows the form of a value; it need not keep each limit of the schema. */
function exampleOf(schema: Json, schemas: JsonObject): Json {
  if (!isObject(schema)) return null
  const { $ref, type, const: constant, enum: values, properties, required, items, oneOf, anyOf } = schema
  if (typeof $ref === 'string')
    return exampleOf(ownMember(schemas, $ref.split('/').at(-1) ?? '') ?? {}, schemas)
  if (constant !== undefined) return constant
  if (Array.isArray(values)) return values[0] ?? null
  const [first] = [oneOf, anyOf].flatMap((choice) => (Array.isArray(choice) ? choice : []))
  if (isObject(properties)) {
    const needed = Array.isArray(required) ? required : []
    const members = Object.entries(properties).filter(([name]) => needed.includes(name))
    return Object.fromEntries(members.map(([name, member]) => [name, exampleOf(member, schemas)]))
  }
  if (first !== undefined) return exampleOf(first, schemas)
  switch (Array.isArray(type) ? type[0] : type) {
    case 'object':
      return {}
    case 'array':
      return items === undefined ? [] : [exampleOf(items, schemas)]
    case 'string':
      return schema.format === 'date-time' ? '2030-01-31T12:00:00Z' : '…'
    case 'integer':
    case 'number':
      return typeof schema.minimum === 'number' ? schema.minimum : 1
    case 'boolean':
      return true
    default:
      return null
  }
}
