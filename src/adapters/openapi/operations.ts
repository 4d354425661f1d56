import { sha256 } from '../../document/canonical.ts'
import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import { type ApiDocument, follow } from './api-document.ts'

/** The properties of an operation for search and selection. */
export interface Operation {
  /** Unique in the document, stable, and valid in function-calling APIs. */
  readonly name: string
  /** The operationId in the document, if it has one. */
  readonly id?: string
  readonly method: string
  /** The template, such as `/pets/{petId}`. */
  readonly path: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly deprecated: boolean
  readonly item: JsonObject
  readonly definition: JsonObject
}

/** Without TRACE, which HTTP clients do not send. */
const METHODS: ReadonlySet<string> = new Set(['get', 'head', 'post', 'put', 'patch', 'delete', 'options'])
const LONGEST_NAME = 64

/** Returns all operations, in the order of the document. */
export function operationsOf(document: ApiDocument): readonly Operation[] {
  const found: Operation[] = []
  for (const [written, value] of Object.entries(document.root.paths as JsonObject)) {
    const item = itemOf(document, value)
    if (item === undefined || written.startsWith('x-')) continue
    const path = written.startsWith('/') ? written : `/${written}`
    for (const [method, given] of methodsOf(document, item)) {
      const definition = follow(document, given)
      if (definition !== undefined) found.push(operationOf(path, method, item, definition))
    }
  }
  return withUniqueNames(found)
}

/** Returns what of the paths is not an operation that can be read. */
export function unreadPaths(document: ApiDocument): readonly string[] {
  return Object.entries(document.root.paths as JsonObject).flatMap(([path, value]) => {
    if (path.startsWith('x-')) return []
    const item = itemOf(document, value)
    if (item === undefined) {
      const ref =
        isObject(value) && typeof value.$ref === 'string' ? `: ${value.$ref} is not in this document` : ''
      return [`the path ${path} cannot be read${ref}`]
    }
    return methodsOf(document, item)
      .filter(([, given]) => follow(document, given) === undefined)
      .map(([method]) => `the operation ${method} ${path} cannot be read`)
  })
}

/** A path may refer to a description and add to it. */
function itemOf(document: ApiDocument, value: Json | undefined): JsonObject | undefined {
  if (!isObject(value) || typeof value.$ref !== 'string') return isObject(value) ? value : undefined
  const { $ref: _ref, ...own } = value
  const target = follow(document, value)
  return target === undefined && Object.keys(own).length === 0 ? undefined : { ...target, ...own }
}

/** Version 3.2 adds the method QUERY, and `additionalOperations` with methods in their own spelling. */
function methodsOf(document: ApiDocument, item: JsonObject): readonly (readonly [string, Json])[] {
  const isNew = document.version === '3.2'
  const usual = Object.entries(item).flatMap(([name, given]): [string, Json][] => {
    const method = name.toLowerCase()
    return METHODS.has(method) || (isNew && method === 'query') ? [[method.toUpperCase(), given]] : []
  })
  const more = isNew && isObject(item.additionalOperations) ? Object.entries(item.additionalOperations) : []
  return [...usual, ...more.filter(([method]) => /^[\w!#$%&'*+.^`|~-]+$/.test(method))]
}

function operationOf(path: string, method: string, item: JsonObject, definition: JsonObject): Operation {
  const id = text(definition.operationId)
  return {
    name: nameFrom(id === '' ? placeName(method, path) : id),
    ...(id !== '' && { id }),
    method,
    path,
    summary: text(definition.summary) || text(item.summary),
    description: text(definition.description) || text(item.description),
    tags: Array.isArray(definition.tags) ? definition.tags.map(text).filter((tag) => tag !== '') : [],
    deprecated: definition.deprecated === true,
    item,
    definition,
  }
}

/** GET, HEAD and QUERY are safe methods (RFC 9110 §9.2.1). */
export function readsOnly({ method }: Pick<Operation, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'QUERY'
}

/**
 * Adds method and path to the names of operations with the same name. Names that are still too long or equal get a hash
 * of method and path, which does not depend on the order of the document.
 */
function withUniqueNames(operations: readonly Operation[]): readonly Operation[] {
  const shared = sharedNames(operations)
  const named = operations.map((operation) =>
    shared.has(operation.name)
      ? { ...operation, name: nameFrom(`${operation.name}_${placeName(operation.method, operation.path)}`) }
      : operation,
  )
  const still = sharedNames(named)
  return named.map((operation) =>
    operation.name.length > LONGEST_NAME || still.has(operation.name)
      ? { ...operation, name: `${operation.name.slice(0, LONGEST_NAME - 9)}_${hashOf(operation)}` }
      : operation,
  )
}

function sharedNames(operations: readonly Operation[]): ReadonlySet<string> {
  const seen = new Set<string>()
  const shared = new Set<string>()
  for (const { name } of operations) (seen.has(name) ? shared : seen).add(name)
  return shared
}

function hashOf({ method, path }: Operation): string {
  return sha256(`${method} ${path}`).slice(0, 8)
}

function placeName(method: string, path: string): string {
  return `${method.toLowerCase()}${path.replaceAll(/[{}]/g, '')}`
}

function nameFrom(wanted: string): string {
  return wanted
    .replaceAll(/[^a-zA-Z0-9_-]+/g, '_')
    .replace(/_+$/, '')
    .replace(/^(?=[^a-zA-Z_])|^$/, '_')
}

/** A number without quotes is a name too. */
function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
}
