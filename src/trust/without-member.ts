import type { JsonObject } from '../document/json.ts'

/**
 * Returns the data without one member; keeps everything else, including `x-` members and the container of the member.
 */
export function withoutMember(value: JsonObject, [container, member]: readonly [string, string]): JsonObject {
  const inner = value[container]
  if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return value
  const { [member]: _left, ...rest } = inner as JsonObject
  return { ...value, [container]: rest }
}
