import { defined } from '../document/defined.ts'
import type { PlannedMemory, Program } from '../plan/plan.ts'
import { usableMemory } from '../run/kept-items.ts'
import type { MemoryItem } from '../run/state.ts'
import type { AgentState } from '../spec/aaif/generated/state.ts'
import type { Fidelity } from './fidelity.ts'
import type { WaybillMember } from './waybill-member.ts'

/** An item for the memory of the home. */
export interface StoredMemory {
  readonly item: MemoryItem
  /** The entry of the plan that it belongs to. */
  readonly entry: PlannedMemory
}

interface MemoryOptions {
  readonly program: Program
  readonly at: number
  /** Of the run that continues. */
  readonly user?: string
  readonly session?: string
}

interface Memory {
  /** In the record of the run. */
  readonly held: readonly MemoryItem[]
  /** In the memory of the home. */
  readonly stored: readonly StoredMemory[]
}

/**
 * Sorts the items by the store that this platform keeps them in. The backend that a state names is only information, and a
 * session's items are for the user and the session that they were captured from.
 */
export function restoreMemory(
  { memory_snapshot = [] }: AgentState,
  member: WaybillMember | undefined,
  { program, at, user, session }: MemoryOptions,
  report: Fidelity,
): Memory {
  const held: MemoryItem[] = []
  const stored: StoredMemory[] = []
  const usable = usableMemory(program.plan)
  for (const [index, item] of memory_snapshot.entries()) {
    const { scope, key, content, captured_at, ttl_remaining_seconds: left } = item
    const part = `memory_snapshot[${index}]`
    const own = member?.record_items.find((one) => one.scope === scope && one.key === key)
    const entry =
      usable.find((one) => one.scope === scope && one.key === key) ??
      usable.find((one) => one.scope === scope)
    if (own === undefined && (scope === 'user' || scope === 'session') && member?.user !== user) {
      report.leftBehind(part, `${key}: it belongs to another user`)
      continue
    }
    if (own === undefined && scope === 'session' && member?.session !== session) {
      report.leftBehind(part, `${key}: it belongs to another session`)
      continue
    }
    if (left !== undefined && left <= 0) {
      report.leftBehind(part, `${key}: it has expired`)
      continue
    }
    const saved = captured_at === undefined ? Number.NaN : Date.parse(captured_at)
    const restored: MemoryItem = {
      scope,
      key,
      content,
      saved_at: Number.isNaN(saved) ? at : saved,
      expires_at: left === undefined ? null : at + left * 1000,
      ...defined({ passed: own?.passed }),
    }
    if (own !== undefined || entry?.kept_in === 'in_memory' || scope === 'task') held.push(restored)
    else if (entry?.kept_in === 'sqlite') stored.push({ item: restored, entry })
    else {
      const why =
        entry === undefined ? `the definition has no memory of scope ${scope}` : `${entry.kept_in} keeps it`
      report.leftBehind(part, `${key}: ${why} here`)
      continue
    }
    report.kept(part)
  }
  return { held, stored }
}
