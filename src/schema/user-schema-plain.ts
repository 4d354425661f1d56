import { isObject, type Json } from '../document/json.ts'
import { plainPattern } from './plain-pattern.ts'
import { TYPES } from './user-schema-keywords.ts'

const MAX_DEPTH = 12
const MAX_NODES = 2_000

/**
 * Returns true if a quick check proves that a schema is valid: it uses only common keywords with valid values, as most
 * schemas of tools do. False means only that the full check is needed.
 */
export function isPlainlyRight(schema: Json): boolean {
  return new Look().schema(schema, 0)
}

class Look {
  #nodes = 0

  schema(value: Json | undefined, depth: number): boolean {
    if (typeof value === 'boolean') return true
    if (value === null || typeof value !== 'object' || Array.isArray(value) || depth > MAX_DEPTH) return false
    for (const keyword in value) {
      if (++this.#nodes > MAX_NODES || !Object.hasOwn(value, keyword)) return false
      if (!this.#keyword(keyword, (value as { [keyword: string]: Json })[keyword] as Json, depth))
        return false
    }
    return true
  }

  #keyword(keyword: string, value: Json, depth: number): boolean {
    switch (keyword) {
      case 'type':
        return typeof value === 'string' && TYPES.includes(value)
      case 'description':
      case 'title':
      case 'format':
        return typeof value === 'string'
      case 'pattern':
        return typeof value === 'string' && plainPattern(value) !== null
      case 'properties':
        return this.#members(value, depth)
      case 'items':
      case 'additionalProperties':
      case 'propertyNames':
      case 'not':
        return this.schema(value, depth + 1)
      case 'anyOf':
      case 'oneOf':
      case 'allOf':
        return this.#schemas(value, depth)
      case 'required':
        return isListOfNames(value)
      case 'dependentRequired':
        return (
          isObject(value) && Object.keys(value).length <= 100 && Object.values(value).every(isListOfNames)
        )
      case 'enum':
        return (
          Array.isArray(value) &&
          value.length > 0 &&
          value.length <= 100 &&
          value.every((item) => item === null || typeof item !== 'object')
        )
      case 'default':
      case 'const':
        return value === null || typeof value !== 'object'
      case 'minimum':
      case 'maximum':
      case 'exclusiveMinimum':
      case 'exclusiveMaximum':
        return typeof value === 'number'
      case 'minLength':
      case 'maxLength':
      case 'minItems':
      case 'maxItems':
      case 'minProperties':
      case 'maxProperties':
        return Number.isInteger(value) && (value as number) >= 0
      case 'uniqueItems':
        return typeof value === 'boolean'
      default:
        return false
    }
  }

  #schemas(value: Json, depth: number): boolean {
    if (!Array.isArray(value) || value.length === 0) return false
    this.#nodes += value.length
    return this.#nodes <= MAX_NODES && value.every((one) => this.schema(one, depth + 1))
  }

  #members(value: Json, depth: number): boolean {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return false
    for (const name in value) {
      if (++this.#nodes > MAX_NODES || !Object.hasOwn(value, name)) return false
      if (!this.schema((value as { [name: string]: Json })[name], depth + 1)) return false
    }
    return true
  }
}

function isListOfNames(value: Json): boolean {
  return (
    Array.isArray(value) &&
    value.length <= 100 &&
    value.every((name) => typeof name === 'string') &&
    (value.length < 2 || new Set(value).size === value.length)
  )
}
