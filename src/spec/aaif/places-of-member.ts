import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import type { Schema } from '../schema-builder.ts'

/**
 * Returns the paths at which a document may have a member of this name, such as `agent.model.params.temperature`, in
 * the order of the schema. `[]` in a path stands for an item of an array. Descends into each definition once.
 */
export function placesOfMember(schema: Schema, name: string): readonly string[] {
  const found: string[] = []
  const visited = new Set<Json>()
  visit(schema, '')
  return found

  function visit(node: Json | undefined, path: string): void {
    const owner = resolve(schema, node)
    if (owner === undefined || visited.has(owner)) return
    visited.add(owner)
    for (const [member, inner] of Object.entries((owner.properties ?? {}) as JsonObject)) {
      const at = path === '' ? member : `${path}.${member}`
      if (member === name) found.push(at)
      visit(inner, at)
    }
    visit(owner.items, `${path}[]`)
  }
}

function resolve(schema: Schema, node: Json | undefined): JsonObject | undefined {
  if (!isObject(node)) return undefined
  const { $ref: reference } = node
  if (typeof reference !== 'string') return node
  const definition = isObject(schema.$defs) ? schema.$defs[reference.replace('#/$defs/', '')] : undefined
  return isObject(definition) ? definition : undefined
}
