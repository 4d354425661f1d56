import { isDeepStrictEqual } from 'node:util'
import type { Decision } from '../event.ts'

/**
 * Merges decisions about one fact, in order. `warnings` and `breaches` are concatenated; every other member
 * may have one value only. An object spread would silently drop members of an earlier decision, so the linter
 * forbids it in this folder. A decision that replaces a member of another must remove it from that one first.
 * @throws Error if two decisions give different values to one member: a defect of this folder
 */
export function mergeDecisions(...decisions: readonly Decision[]): Decision {
  const merged: Record<string, unknown> = {}
  for (const decision of decisions) {
    for (const member in decision) {
      const value = decision[member as keyof Decision]
      if (value === undefined) continue
      const before = merged[member]
      if (before === undefined) merged[member] = value
      else if (Array.isArray(before) && Array.isArray(value) && LISTS.has(member))
        merged[member] = [...before, ...value]
      else if (before !== value && !isDeepStrictEqual(before, value))
        throw new Error(`two decisions about one fact give different values to "${member}"`)
    }
  }
  return merged
}

const LISTS: ReadonlySet<string> = new Set(['warnings', 'breaches'] satisfies (keyof Decision)[])
