import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import type { Schema } from '../schema-builder.ts'

/**
 * Returns the paths at which a document may have a member of this name, such as `agent.model.params.seed`, in
 * the order of the schema. Members of items are left out: such a path would not say of which item.
 * @param schema refers only to definitions that do not contain themselves
 */
export function placesOfMember(schema: Schema, name: string): readonly string[] {
  return placesIn(schema, '')

  function placesIn(node: Json | undefined, path: string): readonly string[] {
    const members = Object.entries((resolve(schema, node)?.properties ?? {}) as JsonObject)
    return members.flatMap(([member, inner]) => {
      const at = path === '' ? member : `${path}.${member}`
      return [...(member === name ? [at] : []), ...placesIn(inner, at)]
    })
  }
}

function resolve(schema: Schema, node: Json | undefined): JsonObject | undefined {
  if (!isObject(node)) return undefined
  const { $ref: reference } = node
  if (typeof reference !== 'string') return node
  const definition = isObject(schema.$defs) ? schema.$defs[reference.replace('#/$defs/', '')] : undefined
  return isObject(definition) ? definition : undefined
}
