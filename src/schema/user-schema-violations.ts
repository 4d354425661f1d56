import type { ErrorObject } from 'ajv/dist/2020.js'
import { isObject, type Json, type JsonObject } from '../document/json.ts'
import { escapeStep } from '../document/json-pointer.ts'

const MAX_VIOLATIONS = 10
const MAX_POINTER = 160

interface Violation {
  readonly pointer: string
  readonly message: string
}

/**
 * Returns the violations of a value as text for a model: `/to: must be a string, got number; /cc: unknown member`.
 * Names places and expectations. Never repeats values of the data, which may be long or secret.
 */
export function describeViolations(errors: readonly ErrorObject[]): string {
  const seen = new Map<string, Violation>()
  for (const error of withoutAlternatives(errors)) {
    const violation = violationOf(error)
    if (violation !== null) seen.set(`${violation.pointer} ${violation.message}`, violation)
  }
  const all = [...seen.values()]
  const shown = all.slice(0, MAX_VIOLATIONS).map((b) => `${place(b.pointer)}: ${b.message}`)
  if (all.length > MAX_VIOLATIONS) shown.push(`and ${all.length - MAX_VIOLATIONS} more`)
  return shown.join('; ')
}

/** A pointer to the whole value is the empty string, which would be invisible. */
function place(pointer: string): string {
  return pointer === '' ? '(root)' : clip(pointer, MAX_POINTER)
}

/**
 * A failed `anyOf` gives the errors of all its branches. Keeps only those of the intended branch, if there is exactly
 * one whose type and constant members match.
 */
function withoutAlternatives(errors: readonly ErrorObject[]): ErrorObject[] {
  const kept: ErrorObject[] = []
  for (const error of errors) {
    const passing = (error.params as { passingSchemas?: unknown }).passingSchemas
    if ((error.keyword !== 'anyOf' && error.keyword !== 'oneOf') || Array.isArray(passing)) {
      kept.push(error)
      continue
    }
    const branches = (error.schema as readonly JsonObject[]).map(() => [] as ErrorObject[])
    const own: ErrorObject[] = []
    while (kept.length > 0 && belongsTo(kept.at(-1) as ErrorObject, error)) {
      const inner = kept.pop() as ErrorObject
      const branch = branchOf(inner, error)
      if (branch === undefined) own.unshift(inner)
      else branches[branch]?.unshift(inner)
    }
    const near = branches.filter((b) => b.length > 0 && !b.some((e) => isFar(e, error.instancePath)))
    const only = near.length === 1 ? near[0] : undefined
    if (only !== undefined) kept.push(...only)
    else kept.push(alternatives(error, branches, own))
  }
  return kept
}

function belongsTo(inner: ErrorObject, outer: ErrorObject): boolean {
  const { instancePath: at, schemaPath } = inner
  if (at !== outer.instancePath && !at.startsWith(`${outer.instancePath}/`)) return false
  if (schemaPath.startsWith(`${outer.schemaPath}/`)) return true
  if (!schemaPath.startsWith('#/$defs/')) return false
  // A keyword next to the alternatives is not one of them.
  const beside = outer.schemaPath.slice(0, outer.schemaPath.lastIndexOf('/') + 1)
  const sibling = schemaPath.startsWith(beside) && !schemaPath.startsWith(`${beside}$defs/`)
  return !sibling || at !== outer.instancePath
}

function branchOf(inner: ErrorObject, outer: ErrorObject): number | undefined {
  if (inner.schemaPath.startsWith(`${outer.schemaPath}/`))
    return Number.parseInt(inner.schemaPath.slice(outer.schemaPath.length + 1), 10)
  const index = (outer.schema as readonly Json[]).findIndex(
    (b) => isObject(b) && typeof b.$ref === 'string' && inner.schemaPath.startsWith(`${b.$ref}/`),
  )
  return index < 0 ? undefined : index
}

/** The value has another type than this branch expects. */
function isFar(error: ErrorObject, at: string): boolean {
  const { keyword, instancePath } = error
  if (instancePath === at) return keyword === 'type' || keyword === 'const' || keyword === 'enum'
  return keyword === 'const' && !instancePath.slice(at.length + 1).includes('/')
}

function alternatives(error: ErrorObject, branches: ErrorObject[][], own: ErrorObject[]): ErrorObject {
  const inner = [...branches.flat(), ...own]
  const here = inner.filter((e) => e.instancePath === error.instancePath)
  const wanted = new Set(here.flatMap((e) => expectation(e) ?? []))
  const deeper = inner.filter((e) => e.keyword === 'const' && e.instancePath !== error.instancePath)
  const count = (error.schema as readonly Json[]).length
  let message = `matches none of the ${count} alternatives`
  const first = deeper[0]
  if (wanted.size > 0 && here.every((e) => expectation(e) !== null) && here.length === inner.length)
    message = `must be ${[...wanted].join(' or ')}, got ${typeName(error.data)}`
  else if (first !== undefined && deeper.every((e) => e.instancePath === first.instancePath)) {
    const values = [...new Set(deeper.map((e) => shown(e.params.allowedValue as Json)))]
    return {
      ...error,
      instancePath: first.instancePath,
      message: `must be ${values.slice(0, 10).join(' or ')}`,
    }
  }
  return { ...error, message }
}

function expectation(error: ErrorObject): string | null {
  if (error.keyword === 'type') return typesOf(error.params.type)
  if (error.keyword === 'const') return shown(error.params.allowedValue as Json)
  return error.keyword === 'enum' ? choices(error.params.allowedValues as Json[]) : null
}

function violationOf(error: ErrorObject): Violation | null {
  const { keyword, params, instancePath, data } = error
  const limit = Number((params as { limit?: number }).limit)
  const here = (message: string): Violation => ({ pointer: instancePath, message })
  const member = (name: unknown, message: string): Violation => ({
    pointer: `${instancePath}/${escapeStep(String(name))}`,
    message,
  })
  if (error.propertyName !== undefined) return member(error.propertyName, 'a member may not have this name')
  switch (keyword) {
    case 'type':
      return here(`must be ${typesOf(params.type)}, got ${typeName(data)}`)
    case 'required':
      return member(params.missingProperty, 'required, but missing')
    case 'dependentRequired':
      return member(
        params.missingProperty,
        `required together with ${shown(String(params.property))}, but missing`,
      )
    case 'additionalProperties':
      return member(params.additionalProperty, 'unknown member')
    case 'unevaluatedProperties':
      return member(params.unevaluatedProperty, 'unknown member')
    case 'enum':
      return here(`must be ${choices(params.allowedValues as Json[])}`)
    case 'const':
      return here(`must be ${shown(params.allowedValue as Json)}`)
    case 'minimum':
    case 'maximum':
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return here(`must be ${params.comparison} ${params.limit}`)
    case 'multipleOf':
      return here(`must be a multiple of ${params.multipleOf}`)
    case 'minLength':
      return here(`must have at least ${count(limit, 'character')}, got ${[...(data as string)].length}`)
    case 'maxLength':
      return here(`must have at most ${count(limit, 'character')}, got ${[...(data as string)].length}`)
    case 'pattern':
      return here(`must match the pattern ${clip(String(params.pattern), 80)}`)
    case 'minItems':
      return here(`must have at least ${count(limit, 'item')}, got ${(data as Json[]).length}`)
    case 'maxItems':
    case 'items':
    case 'additionalItems':
    case 'unevaluatedItems':
      return here(
        `must have at most ${count(Number(params.limit ?? params.len), 'item')}, got ${(data as Json[]).length}`,
      )
    case 'uniqueItems':
      return here(`items ${params.j} and ${params.i} are equal, but must not be`)
    case 'contains':
      return here(
        `must contain ${containsRange(params.minContains as number, params.maxContains as number)} of the described kind`,
      )
    case 'minProperties':
      return here(`must have at least ${count(limit, 'member')}, got ${Object.keys(data as object).length}`)
    case 'maxProperties':
      return here(`must have at most ${count(limit, 'member')}, got ${Object.keys(data as object).length}`)
    case 'oneOf':
      if (Array.isArray(params.passingSchemas))
        return here(`matches alternatives ${params.passingSchemas.join(' and ')}, but must match exactly one`)
      return here(error.message ?? 'matches no alternative')
    case 'anyOf':
      return here(error.message ?? 'matches no alternative')
    case 'not':
      return here('has a form that the schema excludes')
    case 'false schema':
      return here('no value is allowed here')
    // These only report that an inner keyword failed, which is already reported.
    case 'if':
    case 'propertyNames':
      return null
    default:
      return here(error.message ?? `violates ${keyword}`)
  }
}

function containsRange(min: number, max: number | undefined): string {
  return max === undefined ? `at least ${count(min, 'item')}` : `${min} to ${count(max, 'item')}`
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`
}

function typesOf(type: unknown): string {
  const types = (Array.isArray(type) ? type : String(type).split(',')) as string[]
  return types.map(withArticle).join(' or ')
}

function withArticle(type: string): string {
  if (type === 'null') return 'null'
  return /^[aio]/.test(type) ? `an ${type}` : `a ${type}`
}

function typeName(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function choices(values: readonly Json[]): string {
  if (values.length === 1) return shown(values[0] as Json)
  const list = values.slice(0, 10).map(shown)
  return `one of ${list.join(', ')}${values.length > 10 ? ', …' : ''}`
}

function shown(value: Json): string {
  return clip(JSON.stringify(value), 60)
}

function clip(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length - 1)}…`
}
