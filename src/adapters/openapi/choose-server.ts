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
  const [first, ...rest] = serversOf(document, operation)
  if (first === undefined) {
    const reason = 'the document names no server with a host, and was read from a file: add "servers" to it'
    return { ok: false, reason }
  }
  return { ok: true, base: [first, ...rest].find((url) => judgeUrl(url, grants).allowed) ?? first }
}

/** The nearest list applies: that of the operation, its path or the document. */
function serversOf(document: ApiDocument, { definition, item }: Operation): readonly string[] {
  const lists = [definition.servers, item.servers, document.root.servers]
  const nearest = lists.find((list): list is readonly Json[] => Array.isArray(list) && list.length > 0)
  return (nearest ?? [{ url: '/' }]).flatMap((server) => {
    const url = isObject(server) && typeof server.url === 'string' ? filled(server.url, server) : undefined
    const absolute = url === undefined ? null : URL.parse(url, document.url)
    if (absolute === null || !/^https?:$/.test(absolute.protocol)) return []
    absolute.hash = ''
    absolute.search = ''
    return [absolute.href.replace(/\/+$/, '')]
  })
}

/** Variables have their default values, because other values were not chosen by the operator. */
function filled(url: string, server: JsonObject): string {
  const variables = isObject(server.variables) ? server.variables : {}
  return url.replaceAll(/\{([^{}]+)\}/g, (whole, name: string) => {
    const variable = ownMember(variables, name)
    return isObject(variable) && variable.default !== undefined ? String(variable.default) : whole
  })
}
