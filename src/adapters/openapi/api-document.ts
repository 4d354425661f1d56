import { defined } from '../../document/defined.ts'
import type { Issue } from '../../document/issue.ts'
import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import { unescapeStep } from '../../document/json-pointer.ts'
import { readDocument } from '../../document/read-document.ts'

/** An OpenAPI document of version 3.0, 3.1 or 3.2 as data. References are followed only within the document. */
export interface ApiDocument {
  readonly root: JsonObject
  readonly version: '3.0' | '3.1' | '3.2'
  /** URL of the document, to which servers are relative. Absent for a file. */
  readonly url?: string
  /** What a strict reader would refuse, such as a name that occurs twice, for the reader of the plan. */
  readonly notes?: readonly string[]
}

export type ReadApiDocument =
  | { readonly ok: true; readonly document: ApiDocument }
  | { readonly ok: false; readonly reason: string }

/** Public documents with more than a thousand operations reach 12 MiB. */
export const LARGEST_DOCUMENT_BYTES = 32 * 1024 * 1024

/** Documents whose schemas are not divided into components are nested deeper than ours. */
const DEEPEST_DOCUMENT = 256

/** Parses JSON or YAML as other readers of OpenAPI do; errors have a line and a message for the author of the file. */
export function readApiDocument(text: string, url?: string): ReadApiDocument {
  const reading = { maxBytes: LARGEST_DOCUMENT_BYTES, maxDepth: DEEPEST_DOCUMENT, foreign: true } as const
  const { document, issues } = readDocument(text, reading)
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
  // Without quotes, 3.0 is the number 3.
  const version = /^3(?:\.[012])?(?=\.|$)/.exec(textOf(root.openapi))?.[0]
  if (version === undefined) {
    return { ok: false, reason: 'it has no "openapi": "3.0.x", "3.1.x" or "3.2.x"' }
  }
  if (!isObject(root.paths)) return { ok: false, reason: 'it has no paths' }
  const notes = notesOf(document.warnings)
  return {
    ok: true,
    document: {
      root,
      version: version === '3' ? '3.0' : (version as ApiDocument['version']),
      ...defined({ url }),
      ...(notes.length > 0 && { notes }),
    },
  }
}

const MOST_NOTES = 3

/** Numbers beyond 2^53 are bounds and examples: the arguments of a call are read elsewhere. */
function notesOf(warnings: readonly Issue[]): readonly string[] {
  const repaired = warnings.filter(({ code }) => code !== 'INTEGER_IMPRECISE' && code !== 'YAML_MERGE_KEY')
  const others = repaired.length - MOST_NOTES
  return [
    ...repaired.slice(0, MOST_NOTES).map(({ line, message }) => `the document, line ${line}: ${message}`),
    ...(others > 0 ? [`the document has ${others} more such places`] : []),
  ]
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
    found = lookUp(document, found.$ref)
  }
  return isObject(found) ? found : undefined
}

/** Returns the value at a reference to a part of the document; undefined for another document. */
export function lookUp(document: ApiDocument, ref: string): Json | undefined {
  const fragment = ref.startsWith('#') ? ref : fragmentWithin(document, ref)
  if (fragment === undefined || (fragment !== '#' && !fragment.startsWith('#/'))) return undefined
  let found: Json | undefined = document.root
  for (const step of fragment.split('/').slice(1)) {
    const name = unescapeStep(decode(step))
    if (Array.isArray(found)) found = (found as readonly Json[])[Number(name)]
    else if (isObject(found) && Object.hasOwn(found, name)) found = found[name]
    else return undefined
  }
  return found
}

/** Stands for the folder of a document that is a file; no host has this name (RFC 6761). */
const FOLDER = 'https://document.invalid/'

/**
 * Returns the fragment of a reference that names this document by its address: by its URL, or from version 3.2 on by
 * `$self`, which is for references only: servers are relative to the URL (OpenAPI 3.2 §4.1.2.2).
 */
function fragmentWithin({ root, version, url }: ApiDocument, ref: string): string | undefined {
  const self = version === '3.2' && typeof root.$self === 'string' ? root.$self : undefined
  if (self === undefined && url === undefined) return undefined
  const base = URL.parse(self ?? '', url ?? FOLDER)
  const target = base === null ? null : URL.parse(ref, base.href)
  if (base === null || target === null) return undefined
  const { hash } = target
  for (const address of [base, target]) address.hash = ''
  return target.href === base.href || target.href === url ? hash || '#' : undefined
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
