import type { MemoryOwner } from '../../../run/extension.ts'
import { itemKey, PAGE_LIMIT, pageOfItems, readItemCursor } from '../../../run/record/page-cursor.ts'
import type { KeptItem, MemoryFilter, MemoryRecords, Page, PageOf } from '../../../run/record/records.ts'
import { SESSION_IDLE_MS } from '../../../run/record/session-idle.ts'
import type { MemoryItem } from '../../../run/state.ts'
import type { MemoryPlace } from './memory-place.ts'

/** Items of agents in memory, with the same rules as in the database. */
export class MemoryItems implements MemoryRecords {
  readonly #place: MemoryPlace

  constructor(place: MemoryPlace) {
    this.#place = place
  }

  seed(owner: MemoryOwner, item: MemoryItem, sha256: string): void {
    const seed = itemId(owner, item.key, sha256)
    if (this.#place.seeds.has(seed)) return
    this.#place.seeds.add(seed)
    if (this.#place.items.get(itemId(owner, item.key))?.source !== 'agent')
      this.#put(owner, item, 'definition')
  }

  save(owner: MemoryOwner, item: MemoryItem, callKey: string): boolean {
    if (this.#place.calls.has(callKey)) return false
    this.#place.calls.add(callKey)
    this.#put(owner, item, 'agent')
    this.#touch(owner, item.saved_at)
    return true
  }

  items(owner: MemoryOwner, at: number): readonly KeptItem[] {
    this.#sweep(at)
    this.#touch(owner, at)
    return this.#own(owner)
      .map(([, { vector: _vector, ...item }]) => item)
      .sort((a, b) => b.saved_at - a.saved_at || compare(a.key, b.key))
  }

  vectors(owner: MemoryOwner): ReadonlyMap<string, Float32Array> {
    return new Map(
      this.#own(owner).flatMap(([, { key, vector }]) =>
        vector === undefined ? [] : [[key, vector.slice()]],
      ),
    )
  }

  keepVector(owner: MemoryOwner, { key, content }: MemoryItem, vector: Float32Array): void {
    const id = itemId(owner, key)
    const item = this.#place.items.get(id)
    if (item?.content === content) this.#place.items.set(id, { ...item, vector: vector.slice() })
  }

  list(filter: MemoryFilter, at: number): readonly KeptItem[] {
    this.#sweep(at)
    return [...this.#place.items.values()]
      .filter((item) => fits(item, filter))
      .map(({ vector: _vector, ...item }) => item)
      .sort((a, b) => compare(placeOf(a), placeOf(b)))
  }

  page(filter: MemoryFilter, at: number, { limit = PAGE_LIMIT, cursor }: Page): PageOf<KeptItem> {
    const after = cursor === undefined ? undefined : readItemCursor(cursor).join('\0')
    const rows = this.list(filter, at)
      .filter((item) => after === undefined || itemKey(item).join('\0') > after)
      .sort((a, b) => compare(itemKey(a).join('\0'), itemKey(b).join('\0')))
    return pageOfItems(rows, limit)
  }

  forget(filter: MemoryFilter): number {
    return this.#drop((item) => fits(item, filter))
  }

  endSession(session: string, filter: Pick<MemoryFilter, 'agent_id' | 'user'> = {}): number {
    const gone = this.#drop((item) => fits(item, { ...filter, session }))
    for (const seed of this.#place.seeds)
      if (fits(ownerOf(seed), { ...filter, session })) this.#place.seeds.delete(seed)
    for (const id of this.#place.sessions.keys())
      if (fits(ownerOf(id), { ...filter, session })) this.#place.sessions.delete(id)
    return gone
  }

  #own(owner: MemoryOwner): readonly [string, KeptItem & { readonly vector?: Float32Array }][] {
    const mine = itemId(owner, '')
    return [...this.#place.items].filter(([, item]) => itemId(item, '') === mine)
  }

  #put(owner: MemoryOwner, item: MemoryItem, source: KeptItem['source']): void {
    const { definition, agent_id, scope, user, session } = owner
    const { key, content, saved_at, expires_at } = item
    const id = itemId(owner, key)
    const revision = (this.#place.items.get(id)?.revision ?? 0) + 1
    this.#place.items.set(id, {
      definition,
      agent_id,
      scope,
      user,
      session,
      key,
      content,
      saved_at,
      expires_at,
      revision,
      source,
    })
  }

  #drop(isMeant: (item: KeptItem) => boolean): number {
    const before = this.#place.items.size
    for (const [id, item] of this.#place.items) if (isMeant(item)) this.#place.items.delete(id)
    return before - this.#place.items.size
  }

  #touch(owner: MemoryOwner, at: number): void {
    if (owner.scope !== 'session') return
    const id = itemId(owner, '')
    this.#place.sessions.set(id, Math.max(at, this.#place.sessions.get(id) ?? 0))
  }

  #sweep(at: number): void {
    this.#drop(({ expires_at }) => expires_at !== null && expires_at <= at)
    for (const [id, used] of this.#place.sessions) {
      if (used > at - SESSION_IDLE_MS) continue
      this.#place.sessions.delete(id)
      this.#drop((item) => itemId(item, '') === id)
      for (const seed of this.#place.seeds)
        if (itemId(ownerOf(seed), '') === id) this.#place.seeds.delete(seed)
    }
  }
}

/** Returns a key that differs for different parts. */
function itemId(
  { definition, agent_id, scope, user, session }: MemoryOwner,
  ...rest: readonly string[]
): string {
  return JSON.stringify([definition, agent_id, scope, user, session, ...rest])
}

function ownerOf(id: string): MemoryOwner & { readonly key: string } {
  const [definition, agent_id, scope, user, session, key] = JSON.parse(id)
  return { definition, agent_id, scope, user, session, key }
}

function fits(item: MemoryOwner & { readonly key: string }, filter: MemoryFilter): boolean {
  return (['definition', 'agent_id', 'user', 'session', 'key'] as const).every(
    (name) => filter[name] === undefined || filter[name] === item[name],
  )
}

function placeOf({ agent_id, scope, user, session, key }: KeptItem): string {
  return [agent_id, scope, user, session, key].join('\0')
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
