import { isObject, type Json, type JsonObject } from '../document/json.ts'

/**
 * Read members of data of any form, so that rules can check the valid parts of an invalid document: a member of a wrong
 * type counts as absent, because the schema already reports it.
 */

const NONE: JsonObject = {}

export function memberOf(value: Json | undefined, name: string): Json | undefined {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
}

export function objectAt(value: Json | undefined, name: string): JsonObject {
  const member = memberOf(value, name)
  return isObject(member) ? member : NONE
}

export function textAt(value: Json | undefined, name: string): string | undefined {
  const member = memberOf(value, name)
  return typeof member === 'string' ? member : undefined
}

export function itemsAt(value: Json | undefined, name: string): readonly Json[] {
  const member = memberOf(value, name)
  return Array.isArray(member) ? member : []
}
