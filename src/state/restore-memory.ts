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
    const others = own === undefined ? whoseItem(scope, member, defined({ user, session })) : null
    if (others !== null) {
      report.leftBehind(part, `${key}: ${others}`)
      continue
    }
    const saved = captured_at === undefined ? Number.NaN : Date.parse(captured_at)
    const restored: MemoryItem = {
      scope,
      key,
      content,
      saved_at: Number.isNaN(saved) ? at : saved,
      // As with `ttl_seconds`, 0 means never (AAIF §4.5): an item that has expired is in no snapshot.
      expires_at: left === undefined || left <= 0 ? null : at + left * 1000,
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

/**
 * Returns why an item of a user or a session is not for the run that continues; null if it is. A state of another platform
 * does not say whose items it has: they are for the user and the session that the restore names.
 */
function whoseItem(
  scope: MemoryItem['scope'],
  member: WaybillMember | undefined,
  { user, session }: Pick<MemoryOptions, 'user' | 'session'>,
): string | null {
  if (scope !== 'user' && scope !== 'session') return null
  if (member === undefined) {
    if (user === undefined) return 'the state does not say whose it is: name the user with --user'
    return scope === 'session' && session === undefined
      ? 'the state does not say of which session it is: name the session with --session'
      : null
  }
  if (member.user !== user) return 'it belongs to another user'
  return scope === 'session' && member.session !== session ? 'it belongs to another session' : null
}
