import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import { ownMember } from '../../document/own-member.ts'
import { type Grants, judgeUrl } from '../../policy/endpoint-gate.ts'
import type { ApiDocument } from './api-document.ts'
import type { Operation } from './operations.ts'

export type ChosenServer =
  | { readonly ok: true; readonly base: string }
  | { readonly ok: false; readonly reason: string }

/**
 * Returns the server of an operation: the first that the operator's grants allow, else the first, which the plan then
 * denies with a hint. Relative servers are relative to the URL of the document (OpenAPI §4.8.5).
 */
export function chooseServer(document: ApiDocument, operation: Operation, grants: Grants): ChosenServer {
  const servers = serversOf(document, operation)
  const [first, ...rest] = servers.flatMap((server) => ('base' in server ? [server.base] : []))
  if (first === undefined) {
    const [open] = servers.flatMap((server) => ('open' in server ? [server.open] : []))
    const reason =
      open ?? 'the document names no server with a host, and was read from a file: add "servers" to it'
    return { ok: false, reason }
  }
  return { ok: true, base: [first, ...rest].find((url) => judgeUrl(url, grants).allowed) ?? first }
}

/** `open`: why the address of a server is not known. */
type Server = { readonly base: string } | { readonly open: string }

/** The nearest list applies: that of the operation, its path or the document. */
function serversOf(document: ApiDocument, { definition, item }: Operation): readonly Server[] {
  const lists = [definition.servers, item.servers, document.root.servers]
  const nearest = lists.find((list): list is readonly Json[] => Array.isArray(list) && list.length > 0)
  return (nearest ?? [{ url: '/' }]).flatMap((server): Server[] => {
    if (!isObject(server) || typeof server.url !== 'string') return []
    const { url, missing } = filled(server.url, server)
    if (missing !== undefined) return [{ open: withoutValue(missing, server.url) }]
    const absolute = URL.parse(url, document.url)
    if (absolute === null || !/^https?:$/.test(absolute.protocol)) return []
    absolute.hash = ''
    absolute.search = ''
    return [{ base: absolute.href.replace(/\/+$/, '') }]
  })
}

function withoutValue(variable: string, url: string): string {
  return `the variable {${variable}} of the server ${url} has no value; in a copy of the document in the folder of the definition, set "default" of this variable in "servers", or write the whole address`
}

/** Variables have their default values, because other values were not chosen by the operator. */
function filled(url: string, server: JsonObject): { readonly url: string; readonly missing?: string } {
  const variables = isObject(server.variables) ? server.variables : {}
  let missing: string | undefined
  const text = url.replaceAll(/\{([^{}]+)\}/g, (whole, name: string) => {
    const value = defaultOf(ownMember(variables, name))
    if (value === undefined) missing ??= name
    return value ?? whole
  })
  return { url: text, ...(missing !== undefined && { missing }) }
}

/** A variable without a default that has one possible value has this value. */
function defaultOf(variable: Json | undefined): string | undefined {
  if (!isObject(variable)) return undefined
  const { default: given, enum: choices } = variable
  const only = Array.isArray(choices) && choices.length === 1 ? (choices[0] as Json) : undefined
  const value = given ?? only
  return value === undefined || value === null || typeof value === 'object' ? undefined : String(value)
}
