import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import { ownMember } from '../../document/own-member.ts'
import { type ApiDocument, follow } from './api-document.ts'

const DEEPEST = 6

/**
 * Returns whether a schema describes bytes: `format: binary` in version 3.0, `contentEncoding` or `contentMediaType` in
 * later ones, `type: file` in documents that were converted from Swagger; also as one of several alternatives.
 */
export function isFile(document: ApiDocument, schema: Json | undefined, depth = 0): boolean {
  const found = follow(document, schema)
  if (found === undefined || depth > DEEPEST) return false
  if (found.format === 'binary' || found.type === 'file') return true
  if (typeof found.contentMediaType === 'string' || typeof found.contentEncoding === 'string') return true
  return alternativesOf(found).some((one) => isFile(document, one, depth + 1))
}

/** Returns whether a schema describes a list of files, also as one of several alternatives. */
export function isListOfFiles(document: ApiDocument, schema: Json | undefined, depth = 0): boolean {
  const found = follow(document, schema)
  if (found === undefined || depth > DEEPEST) return false
  if (isFile(document, found.items)) return true
  return alternativesOf(found).some((one) => isListOfFiles(document, one, depth + 1))
}

/** Returns whether a member of a form contains one file or several. */
export function isFileMember(document: ApiDocument, schema: Json | undefined): 'one' | 'several' | false {
  if (isListOfFiles(document, schema)) return 'several'
  return isFile(document, schema) ? 'one' : false
}

function alternativesOf(schema: JsonObject): readonly Json[] {
  return ['allOf', 'anyOf', 'oneOf'].flatMap((name) => {
    const list = ownMember(schema, name)
    return Array.isArray(list) ? (list as readonly Json[]) : []
  })
}

export interface FormMembers {
  readonly properties: ReadonlyMap<string, Json>
  readonly required: readonly string[]
}

/** Returns the members of a form, with those that its schema combines (`allOf`). */
export function formMembers(document: ApiDocument, schema: Json | undefined, depth = 0): FormMembers {
  const found = follow(document, schema)
  if (found === undefined || depth > DEEPEST) return { properties: new Map(), required: [] }
  const parts = Array.isArray(found.allOf) ? (found.allOf as readonly Json[]) : []
  const inherited = parts.map((part) => formMembers(document, part, depth + 1))
  const own = isObject(found.properties) ? Object.entries(found.properties) : []
  const names = Array.isArray(found.required) ? found.required.map(String) : []
  return {
    properties: new Map([...inherited.flatMap(({ properties }) => [...properties]), ...own]),
    required: [...new Set([...inherited.flatMap(({ required }) => required), ...names])],
  }
}
