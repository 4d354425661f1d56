import type { ErrorObject } from 'ajv'
import type { Finding } from '../document/finding.ts'
import { isObject, type Json, type JsonObject, valueAt } from '../document/json.ts'
import { appendStep, fromPointer, lastStep, parentOf } from '../document/json-pointer.ts'
import { ownMember } from '../document/own-member.ts'
import { suggest } from '../document/suggest.ts'
import type { Schema } from './schema-builder.ts'

/** What a format adds to the general explanation of schema errors. */
export interface Explanations {
  readonly schema: Schema
  readonly ruleOfMissing: (pointer: string) => string | undefined
  readonly ruleOfValue: (pointer: string) => string | undefined
  readonly ruleOfUnknown: (pointer: string, name: string) => string | undefined
  /** Returns a hint that is better than that of the schema, if there is one. */
  readonly hintFor: (finding: Finding, value: Json | undefined) => string | undefined
}

/**
 * Number of errors that are explained. Explaining one takes long in comparison with finding it, and a document may have
 * hundreds of thousands; the rest has findings without a hint, which are counted and not shown.
 */
const MOST_EXPLAINED = 1000

/** Turns the errors of the validator into findings with a message, a pointer, a rule and a hint. */
export function explainSchemaErrors(
  errors: readonly ErrorObject[],
  document: Json,
  explanations: Explanations,
): Finding[] {
  const findings: Finding[] = []
  const mistyped = new Set(
    errors.filter(({ keyword }) => keyword === 'type').map((error) => error.instancePath),
  )
  const choices = choicesOf(errors, explanations.schema)
  for (const error of errors) {
    // It is explained by the choice that it is an alternative of.
    if (choices.some(({ schemaPath }) => error.schemaPath.startsWith(`${schemaPath}/`))) continue
    const choice = choices.find(({ schemaPath }) => error.schemaPath === schemaPath)
    if (choice !== undefined) {
      findings.push(explainChoice(error, choice.members, explanations))
      continue
    }
    // A failed `if` is reported together with its cause, and one error for a wrong type is enough.
    if (error.keyword === 'if' || (error.keyword !== 'type' && mistyped.has(error.instancePath))) continue
    if (findings.length >= MOST_EXPLAINED) {
      findings.push(unexplained(error))
      continue
    }
    const value = valueAt(document, error.instancePath)
    const finding = explain(error, value, explanations)
    findings.push({ ...finding, hint: explanations.hintFor(finding, value) ?? finding.hint })
  }
  return findings
}

function unexplained({ instancePath: pointer, message, params }: ErrorObject): Finding {
  const what = `${message} ${JSON.stringify(params)}`
  return { severity: 'error', code: 'SCHEMA_MISMATCH', pointer, message: what }
}

function explain(error: ErrorObject, value: Json | undefined, explanations: Explanations): Finding {
  const { instancePath: pointer, keyword, params } = error
  const base = { severity: 'error', pointer, rule: explanations.ruleOfValue(pointer) } as const
  const name = nameOf(pointer)
  switch (keyword) {
    case 'discriminator':
      return explainKind(error, explanations)
    case 'dependentRequired': {
      const { property, missingProperty } = params as { property: string; missingProperty: string }
      return {
        ...base,
        code: 'REQUIRED_MISSING',
        pointer: appendStep(pointer, property),
        message: `${property} needs ${missingProperty}`,
        hint: `add "${missingProperty}", or leave "${property}" out`,
      }
    }
    case 'required':
      return explainMissing(pointer, error.params.missingProperty as string, explanations)
    case 'additionalProperties':
      return explainUnknown(error, explanations)
    case 'type': {
      const types = error.params.type as string | string[]
      const expected = typeNames(types)
      return {
        ...base,
        code: 'WRONG_TYPE',
        message: `${name} must be ${expected}, not ${describe(value)}`,
        hint: hintOfType([types].flat(), expected, value),
      }
    }
    case 'enum':
      return explainEnum(value, error.params.allowedValues as readonly string[], base, name)
    case 'const':
      return {
        ...base,
        code: 'NOT_IN_ENUM',
        message: `${name} must be ${JSON.stringify(error.params.allowedValue)}`,
        hint: `write ${JSON.stringify(error.params.allowedValue)}`,
      }
    case 'pattern':
      return {
        ...base,
        code: 'PATTERN_MISMATCH',
        message: `${name} does not match its pattern`,
        hint: `it must match ${error.params.pattern as string}`,
      }
    case 'minimum':
    case 'maximum':
      return {
        ...base,
        code: 'OUT_OF_RANGE',
        message: `${name} is ${String(value)}, but must be ${bound(error)}`,
        hint: `write a number of ${bound(error)}`,
      }
    case 'minLength':
      return {
        ...base,
        code: 'TOO_SHORT',
        message: `${name} must not be empty`,
        hint: 'write a string of at least one character',
      }
    case 'maxLength': {
      const limit = error.params.limit as number
      return {
        ...base,
        code: 'TOO_LONG',
        message: `${name} has more than ${limit} characters`,
        hint: `shorten it to ${limit} characters (Unicode code points)`,
      }
    }
    case 'minItems': {
      const limit = error.params.limit as number
      return {
        ...base,
        code: 'TOO_FEW_ITEMS',
        message: limit === 1 ? `${name} must not be empty` : `${name} must have at least ${limit} items`,
        hint: limit === 1 ? 'add at least one item' : 'add the missing items',
      }
    }
    case 'maxItems':
      return {
        ...base,
        code: 'TOO_MANY_ITEMS',
        message: `${name} may have at most ${error.params.limit as number} items`,
        hint: 'remove the others',
      }
    case 'uniqueItems': {
      const { i, j } = error.params as { i: number; j: number }
      return {
        ...base,
        code: 'DUPLICATE_ITEMS',
        pointer: appendStep(pointer, Math.max(i, j)),
        message: `items ${Math.min(i, j)} and ${Math.max(i, j)} of ${name} are the same`,
        hint: 'keep one of them',
      }
    }
    default:
      return { ...base, code: 'SCHEMA_MISMATCH', message: `${name} ${error.message ?? 'is not allowed'}` }
  }
}

interface Choice {
  readonly schemaPath: string
  /** Each alternative needs one of them. */
  readonly members: readonly string[]
}

/** Returns the `oneOf` and `anyOf` that failed and whose alternatives only say which member they need. */
function choicesOf(errors: readonly ErrorObject[], schema: Schema): readonly Choice[] {
  return errors.flatMap(({ keyword, schemaPath }) => {
    if (keyword !== 'oneOf' && keyword !== 'anyOf') return []
    const alternatives = valueAt(schema, schemaPath.slice(1))
    if (!Array.isArray(alternatives)) return []
    const members = alternatives.flatMap((one) =>
      isObject(one) &&
      Object.keys(one).length === 1 &&
      Array.isArray(one.required) &&
      one.required.length === 1
        ? one.required.map(String)
        : [],
    )
    return members.length === alternatives.length ? [{ schemaPath, members }] : []
  })
}

function explainChoice(
  { instancePath: pointer, keyword }: ErrorObject,
  members: readonly string[],
  { ruleOfValue }: Explanations,
): Finding {
  const which = keyword === 'oneOf' ? 'exactly one' : 'at least one'
  const names = `${members.slice(0, -1).join(', ')} and ${members.at(-1)}`
  return {
    severity: 'error',
    code: 'SCHEMA_MISMATCH',
    pointer,
    rule: ruleOfValue(pointer),
    message: `${pointer === '' ? 'the document' : nameOf(pointer)} must have ${which} of ${names}`,
    hint: `give ${which} of ${names}`,
  }
}

/** Explains the member that says which of several kinds a value is. */
function explainKind(error: ErrorObject, explanations: Explanations): Finding {
  const { instancePath: pointer, params, schemaPath } = error
  const { tag, tagValue } = params as { readonly tag: string; readonly tagValue: Json | undefined }
  if (tagValue === undefined) return explainMissing(pointer, tag, explanations)
  const variants = nodeAt(explanations.schema, parentOf(schemaPath.slice(1)))?.oneOf
  const known = (Array.isArray(variants) ? variants : []).flatMap((variant) => {
    const values = valueAt(variant, `/properties/${tag}/enum`)
    return Array.isArray(values) ? values.map(String) : []
  })
  const at = appendStep(pointer, tag)
  const base = { severity: 'error', pointer: at, rule: explanations.ruleOfValue(at) } as const
  return explainEnum(tagValue, known, base, tag)
}

function explainMissing(parent: string, member: string, { schema, ruleOfMissing }: Explanations): Finding {
  const pointer = appendStep(parent, member)
  const path = fromPointer(pointer).join('.')
  const hint = hintOfMissing(member, subschemaAt(schema, fromPointer(pointer)))
  return {
    severity: 'error',
    code: 'REQUIRED_MISSING',
    pointer,
    mark: 'parent',
    message: `${path} is missing`,
    hint,
    rule: ruleOfMissing(pointer),
  }
}

function explainUnknown(error: ErrorObject, explanations: Explanations): Finding {
  const { instancePath: parent } = error
  const name = error.params.additionalProperty as string
  const pointer = appendStep(parent, name)
  const { schema } = explanations
  const owner = subschemaAt(schema, fromPointer(parent))
  // One of several kinds is found by its place in the schema only.
  const { properties = {} } = owner?.properties === undefined ? (kindAt(schema, error) ?? {}) : owner
  const known = Object.keys(properties as JsonObject)
  const meant = suggest(name, known)
  return {
    severity: 'error',
    code: 'UNKNOWN_MEMBER',
    pointer,
    mark: 'key',
    message: `${parent === '' ? 'the document' : nameOf(parent)} has no member "${clip(name, 60)}"`,
    hint: meant === undefined ? `it may have ${known.join(', ')}` : `did you mean "${meant}"?`,
    rule: explanations.ruleOfUnknown(pointer, name),
  }
}

function explainEnum(
  value: Json | undefined,
  allowed: readonly string[],
  base: { readonly severity: 'error'; readonly pointer: string; readonly rule: string | undefined },
  name: string,
): Finding {
  const meant = typeof value === 'string' ? suggest(value, allowed) : undefined
  // Long values are not repeated: they may be a misplaced secret.
  const shown = typeof value === 'string' && value.length <= 16 ? JSON.stringify(value) : 'this value'
  return {
    ...base,
    code: 'NOT_IN_ENUM',
    message: `${name} must be one of ${allowed.join(', ')}, not ${shown}`,
    hint: meant === undefined ? 'write one of these, in exactly this spelling' : `did you mean "${meant}"?`,
  }
}

function bound(error: ErrorObject): string {
  return `${error.keyword === 'minimum' ? 'at least' : 'at most'} ${error.params.limit as number}`
}

const TYPE_NAMES: Readonly<Record<string, string>> = {
  string: 'a string',
  object: 'an object',
  array: 'an array',
  boolean: 'true or false',
  number: 'a number',
  integer: 'a whole number',
  null: 'null',
}

function typeNames(types: string | readonly string[]): string {
  const names = (typeof types === 'string' ? types.split(',') : types).map(
    (type) => ownMember(TYPE_NAMES, type) ?? type,
  )
  return names.length === 1 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}

/** Says how a value is written in the type that is expected. The value is not repeated: it may be a secret. */
function hintOfType(types: readonly string[], expected: string, value: Json | undefined): string {
  const plain = value !== null && typeof value !== 'object' && value !== undefined
  if (types.includes('string') && plain) return 'put it in quotes'
  if (types.includes('array')) {
    if (plain) return 'write a list: put the value in brackets, [ … ]'
    if (isObject(value)) return 'write a list: in YAML, each item begins with "- "'
  }
  const isUnquoted = typeof value === 'string' && /^(?:true|false|-?\d+(?:\.\d+)?)$/.test(value)
  return isUnquoted && !types.includes('object') ? 'write it without quotes' : `write ${expected}`
}

function describe(value: Json | undefined): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'an array'
  if (typeof value === 'number') return Number.isInteger(value) ? 'a number' : 'a fraction'
  return TYPE_NAMES[typeof value] ?? 'nothing'
}

/** Returns the name of a place for messages: the last member name, and the index of an item. */
function nameOf(pointer: string): string {
  if (pointer === '') return 'the document'
  const last = lastStep(pointer)
  return /^\d+$/.test(last) ? `item ${last} of ${nameOf(parentOf(pointer))}` : clip(last, 60)
}

function clip(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`
}

/** Not after an abbreviation. */
function lowerFirst(text: string): string {
  if (/^\p{Lu}\p{Lu}/u.test(text)) return text
  return text.charAt(0).toLowerCase() + text.slice(1)
}

/** Returns the subschema at a pointer into the schema. */
function nodeAt(schema: Schema, pointer: string): JsonObject | undefined {
  const node = valueAt(schema, pointer)
  return isObject(node) ? node : undefined
}

/** Returns the schema that an error comes from. */
function kindAt(schema: Schema, { schemaPath }: ErrorObject): JsonObject | undefined {
  return nodeAt(schema, parentOf(schemaPath.slice(1)))
}

/** Returns the only value that a member may have, or its purpose, from its description in the schema. */
function hintOfMissing(member: string, node: JsonObject | undefined): string {
  const { const: only, description } = node ?? {}
  if (only !== undefined) return `add "${member}": ${JSON.stringify(only)}`
  if (typeof description !== 'string') return `add "${member}"`
  return `add "${member}": ${lowerFirst(description.replace(/\.$/, ''))}`
}

/** Returns the subschema for a pointer, by following its steps through properties and items. */
function subschemaAt(schema: Schema, steps: readonly string[]): JsonObject | undefined {
  let node: JsonObject | undefined = schema
  for (const step of steps) {
    const properties = node?.properties as JsonObject | undefined
    const next: Json | undefined =
      properties !== undefined && Object.hasOwn(properties, step) ? properties[step] : node?.items
    node = resolve(schema, next)
  }
  return node
}

function resolve(schema: Schema, node: Json | undefined): JsonObject | undefined {
  if (node === null || typeof node !== 'object' || Array.isArray(node)) return undefined
  const reference = (node as JsonObject).$ref
  return typeof reference === 'string' ? nodeAt(schema, reference.slice(1)) : (node as JsonObject)
}
