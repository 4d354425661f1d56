import type { JsonObject } from '../document/json.ts'
import type { MemoryScope, Plan, PlannedMemory, PlannedTool } from '../plan/plan.ts'
import type { MemoryItem } from './state.ts'

/** The entries of a plan's memory that may be used. */
export function usableMemory({ memory }: Plan): readonly PlannedMemory[] {
  return memory.filter(({ gate }) => gate === 'allow')
}

/** Items with more of them; one with the same scope and key takes the place of the older. */
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

/** The items that a run's own record holds from its start: those that the definition declares and that live there. */
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

/** AAIF §4.5: a ttl of 0 seconds means that the item never expires. */
export function expiryOf(ttlSeconds: number, at: number): number | null {
  return ttlSeconds === 0 ? null : at + ttlSeconds * 1000
}

export type MemoryAct = 'save' | 'search'

export function memoryAct(tool: PlannedTool | undefined): MemoryAct | null {
  if (tool?.protocol !== 'memory') return null
  return tool.binding?.act === 'save' ? 'save' : 'search'
}

/** What a call of `memory_save` keeps, and the entry by whose rules it is kept. */
export interface ItemToSave {
  readonly entry: PlannedMemory
  readonly item: MemoryItem
}

/**
 * Reads a call of `memory_save`. An item under a declared key follows that entry; any other follows the first entry of
 * its scope that lasts beyond the run, and lives no longer than the shortest time that its scope declares.
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

/** The entries that a call of `memory_search` looks through. */
export function entriesToSearch(plan: Plan, args: JsonObject): readonly PlannedMemory[] {
  return usableMemory(plan).filter(({ scope }) => args.scope === undefined || args.scope === scope)
}
