import { defined } from '../../document/defined.ts'
import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import { unescapeStep } from '../../document/json-pointer.ts'
import { readDocument } from '../../document/read-document.ts'

/** An OpenAPI 3.0 or 3.1 document as data. References are followed only within the document. */
export interface ApiDocument {
  readonly root: JsonObject
  readonly version: '3.0' | '3.1'
  /** URL of the document, to which servers are relative. Absent for a file. */
  readonly url?: string
}

export type ReadApiDocument =
  | { readonly ok: true; readonly document: ApiDocument }
  | { readonly ok: false; readonly reason: string }

/** Public documents with more than a thousand operations reach 12 MiB. */
export const LARGEST_DOCUMENT_BYTES = 32 * 1024 * 1024

/** Parses JSON or YAML; errors have a line and a message for the author of the file. */
export function readApiDocument(text: string, url?: string): ReadApiDocument {
  const { document, issues } = readDocument(text, { maxBytes: LARGEST_DOCUMENT_BYTES })
  if (document === undefined) {
    const issue = issues?.[0]
    const why = issue === undefined ? 'it cannot be read' : `line ${issue.line}: ${issue.message}`
    return { ok: false, reason: why }
  }
  const root = document.value
  if (!isObject(root)) return { ok: false, reason: 'it is not an OpenAPI document, which is an object' }
  if (root.swagger !== undefined) {
    return { ok: false, reason: `it is Swagger ${textOf(root.swagger)}; convert it to OpenAPI 3` }
  }
  const version = /^3\.[012](?=\.|$)/.exec(textOf(root.openapi))?.[0]
  if (version === undefined) {
    return { ok: false, reason: 'it has no "openapi": "3.0.x" or "3.1.x"' }
  }
  if (!isObject(root.paths)) return { ok: false, reason: 'it has no paths' }
  return {
    ok: true,
    document: { root, version: version === '3.0' ? '3.0' : '3.1', ...defined({ url }) },
  }
}

function textOf(value: Json | undefined): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/**
 * Returns the target of a reference within the document; undefined for external, dangling and circular references.
 * References are never fetched, because such a request has no grant.
 */
export function follow(document: ApiDocument, value: Json | undefined): JsonObject | undefined {
  const seen = new Set<string>()
  let found = value
  while (isObject(found) && typeof found.$ref === 'string') {
    if (seen.has(found.$ref)) return undefined
    seen.add(found.$ref)
    found = lookUp(document.root, found.$ref)
  }
  return isObject(found) ? found : undefined
}

/** Returns the value at a reference of the form `#/a/b`. */
export function lookUp(root: JsonObject, ref: string): Json | undefined {
  if (ref !== '#' && !ref.startsWith('#/')) return undefined
  let found: Json | undefined = root
  for (const step of ref.split('/').slice(1)) {
    const name = unescapeStep(decode(step))
    if (Array.isArray(found)) found = (found as readonly Json[])[Number(name)]
    else if (isObject(found) && Object.hasOwn(found, name)) found = found[name]
    else return undefined
  }
  return found
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
