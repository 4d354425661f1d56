import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import { ownMember } from '../../document/own-member.ts'

const KEYWORD = 'x-mcp-header'

/** A name of a header field (RFC 9110 §5.1). */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/

const TYPES: ReadonlySet<Json | undefined> = new Set(['string', 'integer', 'boolean'])

/** Keywords whose value is one schema, or a list of schemas. */
const WITH_SCHEMAS = [
  'items',
  'prefixItems',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'propertyNames',
  'oneOf',
  'anyOf',
  'allOf',
  'not',
  'if',
  'then',
  'else',
]

/** Keywords whose value has schemas by name. */
const WITH_NAMED_SCHEMAS = ['patternProperties', 'dependentSchemas', '$defs', 'definitions']

/** A schema that is nested deeper is not searched: it is refused where it is used. */
const DEEPEST = 100

/** An argument that is also sent as a header. */
interface HeaderParameter {
  /** The member names from the arguments to the value. */
  readonly path: readonly string[]
  readonly header: string
}

type Read = { readonly parameters: readonly HeaderParameter[] } | { readonly why: string }

/**
 * Returns the arguments of a tool that are also sent as headers (MCP 2026-07-28, Streamable HTTP, `x-mcp-header`).
 * @returns why the declarations are invalid: a client must not offer such a tool
 */
export function readHeaderParameters(schema: JsonObject): Read {
  const parameters: HeaderParameter[] = []
  const names = new Set<string>()
  /** @param path null: not every argument reaches this place */
  const faultIn = (
    node: Json | undefined,
    path: readonly string[] | null,
    depth: number,
  ): string | undefined => {
    if (!isObject(node) || depth > DEEPEST) return undefined
    if (Object.hasOwn(node, KEYWORD)) {
      const header = node[KEYWORD]
      if (path === null || path.length === 0) return `${KEYWORD} is at a place that no argument has`
      const name = path.join('.')
      if (typeof header !== 'string' || !TOKEN.test(header))
        return `the ${KEYWORD} of ${name} is not a header name`
      if (!TYPES.has(node.type))
        return `${name} has ${KEYWORD}, but is not of type string, integer or boolean`
      if (names.has(header.toLowerCase())) return `two arguments have the ${KEYWORD} ${header}`
      names.add(header.toLowerCase())
      parameters.push({ path, header })
    }
    return firstFault([
      ...membersOf(node.properties).map(
        ([name, member]) =>
          () =>
            faultIn(member, path === null ? null : [...path, name], depth + 1),
      ),
      ...WITH_SCHEMAS.flatMap((keyword) => [node[keyword]].flat()).map(
        (one) => () => faultIn(one, null, depth + 1),
      ),
      ...WITH_NAMED_SCHEMAS.flatMap((keyword) => membersOf(node[keyword])).map(
        ([, one]) =>
          () =>
            faultIn(one, null, depth + 1),
      ),
    ])
  }
  const why = faultIn(schema, [], 0)
  return why === undefined ? { parameters } : { why }
}

/** Returns the headers of a call: one for each declared argument that has a value. */
export function parameterHeaders(schema: JsonObject, args: JsonObject): Readonly<Record<string, string>> {
  const read = readHeaderParameters(schema)
  if ('why' in read) return {}
  return Object.fromEntries(
    read.parameters.flatMap(({ path, header }) => {
      const text = textOf(path.reduce<Json | undefined>(memberOf, args))
      return text === undefined ? [] : [[`Mcp-Param-${header}`, fieldValue(text)]]
    }),
  )
}

function firstFault(checks: readonly (() => string | undefined)[]): string | undefined {
  for (const check of checks) {
    const fault = check()
    if (fault !== undefined) return fault
  }
  return undefined
}

function membersOf(value: Json | undefined): readonly (readonly [string, Json])[] {
  return isObject(value) ? (Object.entries(value) as [string, Json][]) : []
}

function memberOf(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) ? ownMember(value, name) : undefined
}

function textOf(value: Json | undefined): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean') return String(value)
  return typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : undefined
}

/** Text that a header field cannot carry unchanged is sent in Base64 (`=?base64?…?=`). */
function fieldValue(text: string): string {
  const isPlain = /^[\x20-\x7e\t]+$/.test(text) && text.trim() === text
  const isMarked = text.startsWith('=?base64?') && text.endsWith('?=')
  return isPlain && !isMarked ? text : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`
}
