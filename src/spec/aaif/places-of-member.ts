import type { Json, JsonObject } from '../../document/json.ts'
import { referredNode } from '../referred-node.ts'
import type { Schema } from '../schema-builder.ts'

/**
 * Returns, for each name of a member, the paths at which a document may have it, such as `agent.model.params.seed`, in
 * the order of the schema. Members of items are left out: such a path would not say of which item.
 * @param schema refers only to definitions that do not contain themselves
 */
export function placesOfMembers(schema: Schema): ReadonlyMap<string, readonly string[]> {
  const places = new Map<string, string[]>()
  add(schema, '')
  return places

  function add(node: Json | undefined, path: string): void {
    const members = Object.entries((referredNode(schema, node)?.properties ?? {}) as JsonObject)
    for (const [member, inner] of members) {
      const at = path === '' ? member : `${path}.${member}`
      const known = places.get(member)
      if (known === undefined) places.set(member, [at])
      else known.push(at)
      add(inner, at)
    }
  }
}
