import type { Json, JsonObject } from '../../document/json.ts'
import { referredNode } from '../referred-node.ts'
import type { Schema } from '../schema-builder.ts'

/**
 * Returns the paths at which a document may have a member of this name, such as `agent.model.params.seed`, in
 * the order of the schema. Members of items are left out: such a path would not say of which item.
 * @param schema refers only to definitions that do not contain themselves
 */
export function placesOfMember(schema: Schema, name: string): readonly string[] {
  return placesIn(schema, '')

  function placesIn(node: Json | undefined, path: string): readonly string[] {
    const members = Object.entries((referredNode(schema, node)?.properties ?? {}) as JsonObject)
    return members.flatMap(([member, inner]) => {
      const at = path === '' ? member : `${path}.${member}`
      return [...(member === name ? [at] : []), ...placesIn(inner, at)]
    })
  }
}
