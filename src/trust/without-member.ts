import type { JsonObject } from '../document/json.ts'

/** The data without one member; everything else stays, `x-` members and the container of the member included. */
export function withoutMember(value: JsonObject, [container, member]: readonly [string, string]): JsonObject {
  const inner = value[container]
  if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return value
  const { [member]: _left, ...rest } = inner as JsonObject
  return { ...value, [container]: rest }
}
