import type { JsonObject } from '../document/json.ts'
import type { MemoryScope, Plan, PlannedMemory, PlannedTool } from '../plan/plan.ts'
import type { MemoryItem } from './state.ts'

/** Returns the usable entries of a plan's memory. */
export function usableMemory({ memory }: Plan): readonly PlannedMemory[] {
  return memory.filter(({ gate }) => gate === 'allow')
}

/** Adds items to a list; an item with the same scope and key replaces the older one. */
export function withItems(
  items: readonly MemoryItem[],
  added: readonly MemoryItem[] | undefined,
): readonly MemoryItem[] {
  if (added === undefined || added.length === 0) return items
  const names = new Set(added.map(nameOf))
  return [...items.filter((item) => !names.has(nameOf(item))), ...added]
}

function nameOf({ scope, key }: MemoryItem): string {
  return `${scope}/${key}`
}

/**
 * Returns the items that a run's own record holds from its start: items that the definition declares in
 * entries that are kept in the record.
 */
export function declaredItems(plan: Plan, at: number): readonly MemoryItem[] {
  return usableMemory(plan)
    .filter(({ kept_in }) => kept_in === 'in_memory')
    .map(({ scope, key, content, ttl_seconds }) => ({
      scope,
      key,
      content,
      saved_at: at,
      expires_at: expiryOf(ttl_seconds, at),
    }))
}

/** Returns when an item expires (ms since the epoch). AAIF §4.5: with a ttl of 0 seconds it never does. */
export function expiryOf(ttlSeconds: number, at: number): number | null {
  return ttlSeconds === 0 ? null : at + ttlSeconds * 1000
}

export type MemoryAct = 'save' | 'search'

export function memoryAct(tool: PlannedTool | undefined): MemoryAct | null {
  if (tool?.protocol !== 'memory') return null
  return tool.binding?.act === 'save' ? 'save' : 'search'
}

/** The item of a call of `memory_save`, and the entry whose rules apply to it. */
export interface ItemToSave {
  readonly entry: PlannedMemory
  readonly item: MemoryItem
}

/**
 * Reads a call of `memory_save`. An item under a declared key follows the entry of that key. Any other item
 * follows the first entry of its scope that lasts beyond the run, and expires after the shortest time that
 * its scope declares.
 */
export function itemToSave(plan: Plan, args: JsonObject, at: number): ItemToSave {
  const usable = usableMemory(plan)
  const scope = (args.scope as MemoryScope | undefined) ?? usable[0]?.scope
  const own = usable.filter((entry) => entry.scope === scope)
  const key = String(args.key)
  const declared = own.find((entry) => entry.key === key)
  const entry = declared ?? own.find(({ kept_in }) => kept_in !== 'in_memory') ?? own[0]
  if (entry === undefined) throw new Error(`the plan has no memory of scope ${scope}`)
  const times = declared === undefined ? own.map((each) => each.ttl_seconds) : [declared.ttl_seconds]
  const ttl = Math.min(...times.map((seconds) => (seconds === 0 ? Number.POSITIVE_INFINITY : seconds)))
  const expires_at = Number.isFinite(ttl) ? expiryOf(ttl, at) : null
  return { entry, item: { scope: entry.scope, key, content: String(args.content), saved_at: at, expires_at } }
}

/** Returns the entries that a call of `memory_search` searches. */
export function entriesToSearch(plan: Plan, args: JsonObject): readonly PlannedMemory[] {
  return usableMemory(plan).filter(({ scope }) => args.scope === undefined || args.scope === scope)
}
