import { defined } from '../document/defined.ts'
import type { Json, JsonObject } from '../document/json.ts'

/** A JSON Schema (draft 2020-12) as plain data. */
export type Schema = JsonObject

/** Members that every schema may add: descriptions, defaults and bounds. */
type Extra = Readonly<Record<string, Json>>

export const text = (description: string, extra: Extra = {}): Schema => ({
  type: 'string',
  description,
  ...extra,
})

export const oneOf = (values: readonly string[], description: string, extra: Extra = {}): Schema => ({
  type: 'string',
  enum: values,
  description,
  ...extra,
})

export const flag = (description: string, byDefault?: boolean): Schema => ({
  type: 'boolean',
  ...defined({ default: byDefault }),
  description,
})

export const number = (description: string, extra: Extra = {}): Schema => ({
  type: 'number',
  description,
  ...extra,
})

export const integer = (minimum: number | undefined, description: string, extra: Extra = {}): Schema => ({
  type: 'integer',
  ...defined({ minimum }),
  description,
  ...extra,
})

export const list = (items: Schema, description: string, extra: Extra = {}): Schema => ({
  type: 'array',
  items,
  description,
  ...extra,
})

/** An object with any members. */
export const anyObject = (description: string): Schema => ({ type: 'object', description })

/** An object with exactly these members: unknown ones are refused (SPEC-W-01). */
export const closed = (
  description: string,
  required: readonly string[],
  properties: Readonly<Record<string, Schema>>,
  extra: Extra = {},
): Schema => ({
  type: 'object',
  description,
  ...(required.length > 0 && { required }),
  properties,
  additionalProperties: false,
  ...extra,
})

/** An object with at least these members; other members are allowed, because readers ignore them. */
export const open = (
  description: string,
  required: readonly string[],
  properties: Readonly<Record<string, Schema>>,
  extra: Extra = {},
): Schema => ({
  type: 'object',
  description,
  ...(required.length > 0 && { required }),
  properties,
  ...extra,
})

export const ref = (definition: string): Schema => ({ $ref: `#/$defs/${definition}` })
