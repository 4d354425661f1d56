import { isObject, type Json, type JsonObject } from '../document/json.ts'
import type { Schema } from './schema-builder.ts'

/** Returns a node of a schema, or the definition of the same schema that it refers to; undefined if there is none. */
export function referredNode(schema: Schema, node: Json | undefined): JsonObject | undefined {
  if (!isObject(node)) return undefined
  const { $ref: reference } = node
  if (typeof reference !== 'string') return node
  const definition = isObject(schema.$defs) ? schema.$defs[reference.replace('#/$defs/', '')] : undefined
  return isObject(definition) ? definition : undefined
}
