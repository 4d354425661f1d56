import type { MemoryOwner } from '../../../run/extension.ts'
import { PAGE_LIMIT, pageOfItems, readItemCursor } from '../../../run/record/page-cursor.ts'
import type { KeptItem, MemoryFilter, MemoryRecords, Page, PageOf } from '../../../run/record/records.ts'
import { SESSION_IDLE_MS } from '../../../run/record/session-idle.ts'
import type { MemoryItem } from '../../../run/state.ts'
import type { Queries } from './queries.ts'
import type { StoreParts } from './store-parts.ts'

/** How long call keys are kept: a call is repeated at most when its run is resumed. */
const CALLS_KEPT_MS = 90 * 24 * 60 * 60 * 1000

const ITEM =
  'definition, agent_id, scope, user, session, key, content, saved_at, expires_at, revision, source'
const KEY = 'definition, agent_id, scope, user, session, key'
const OWNED = 'definition = ? AND agent_id = ? AND scope = ? AND user = ? AND session = ?'

/**
 * The items that agents keep beyond their runs. Every query names the definition, the agent, the scope and the owner;
 * only an operator can query across users.
 */
export class SqliteMemory implements MemoryRecords {
  readonly #parts: StoreParts

  constructor(parts: StoreParts) {
    this.#parts = parts
  }

  async seed(owner: MemoryOwner, item: MemoryItem, sha256: string): Promise<void> {
    const values = [...ownerValues(owner), item.key, sha256]
    const known = `SELECT 1 FROM seeds WHERE ${OWNED} AND key = ? AND sha256 = ?`
    // Every recall seeds, but only the first needs the write lock.
    if (await this.#read((q) => q.get(known, ...values) !== undefined, false)) return
    await this.#write((q) => {
      const first = q.run('INSERT OR IGNORE INTO seeds VALUES (?, ?, ?, ?, ?, ?, ?)', ...values)
      // Another process may have been faster.
      if (first > 0) put(q, owner, item, 'definition', "WHERE items.source = 'definition'")
    })
  }

  /** @returns false if the call was already counted; then nothing is changed */
  save(owner: MemoryOwner, item: MemoryItem, callKey: string): Promise<boolean> {
    return this.#write((q) => {
      if (q.run('INSERT OR IGNORE INTO calls VALUES (?, ?)', callKey, item.saved_at) === 0) return false
      put(q, owner, item, 'agent', '')
      touch(q, owner, item.saved_at)
      return true
    })
  }

  async items(owner: MemoryOwner, at: number): Promise<readonly KeptItem[]> {
    await this.#sweepIfDue(at)
    // Using a session extends its lifetime, which is a write; other scopes are only read.
    if (
      owner.scope === 'session' &&
      this.#parts.home.mayWrite() &&
      (await this.#read((q) => hasItems(q, owner), false))
    )
      await this.#write((q) => touch(q, owner, at))
    const sql = `SELECT ${ITEM} FROM items WHERE ${OWNED} AND (expires_at IS NULL OR expires_at > ?)
      ORDER BY saved_at DESC, key`
    return this.#read((q) => q.all<KeptItem>(sql, ...ownerValues(owner), at).map(plain), [])
  }

  async list(filter: MemoryFilter, at: number): Promise<readonly KeptItem[]> {
    await this.#sweepIfDue(at)
    const { where, values } = conditionOf(filter, '(expires_at IS NULL OR expires_at > ?)')
    const sql = `SELECT ${ITEM} FROM items ${where} ORDER BY agent_id, scope, user, session, key`
    return this.#read((q) => q.all<KeptItem>(sql, at, ...values).map(plain), [])
  }

  async page(
    filter: MemoryFilter,
    at: number,
    { limit = PAGE_LIMIT, cursor }: Page,
  ): Promise<PageOf<KeptItem>> {
    const after = cursor === undefined ? undefined : readItemCursor(cursor)
    await this.#sweepIfDue(at)
    const { where, values } = conditionOf(filter, '(expires_at IS NULL OR expires_at > ?)')
    const sql = `SELECT ${ITEM} FROM items ${where}
      ${after === undefined ? '' : `AND (${KEY}) > (?, ?, ?, ?, ?, ?)`} ORDER BY ${KEY} LIMIT ?`
    return this.#read(
      (q) => {
        const rows = q.all<KeptItem>(sql, at, ...values, ...(after ?? []), limit + 1)
        return pageOfItems(rows.map(plain), limit)
      },
      { items: [], next: null },
    )
  }

  async forget(filter: MemoryFilter): Promise<number> {
    const { where, values } = conditionOf(filter)
    const forgotten = await this.#change((q) => q.run(`DELETE FROM items ${where}`, ...values))
    await this.#parts.home.leaveNoTrace()
    return forgotten
  }

  async endSession(session: string, filter: Pick<MemoryFilter, 'agent_id' | 'user'> = {}): Promise<number> {
    const { where, values } = conditionOf({ ...filter, session })
    const forgotten = await this.#change((q) => {
      const items = q.run(`DELETE FROM items ${where}`, ...values)
      q.run(`DELETE FROM seeds ${where}`, ...values)
      q.run(`DELETE FROM sessions ${where}`, ...values)
      return items
    })
    await this.#parts.home.leaveNoTrace()
    return forgotten
  }

  vectors(owner: MemoryOwner): Promise<ReadonlyMap<string, Float32Array>> {
    const sql = `SELECT key, vector FROM items WHERE ${OWNED} AND vector IS NOT NULL`
    return this.#read((q) => {
      const rows = q.all<{ key: string; vector: Uint8Array }>(sql, ...ownerValues(owner))
      return new Map(rows.map(({ key, vector }) => [key, new Float32Array(vector.slice().buffer)]))
    }, new Map())
  }

  async keepVector(owner: MemoryOwner, { key, content }: MemoryItem, vector: Float32Array): Promise<void> {
    const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength).slice()
    const sql = `UPDATE items SET vector = ? WHERE ${OWNED} AND key = ? AND content = ?`
    await this.#write((q) => q.run(sql, bytes, ...ownerValues(owner), key, content))
  }

  /** A read-only home can still be read. */
  async #sweepIfDue(at: number): Promise<void> {
    if (!this.#parts.home.mayWrite()) return
    const isDue = await this.#read((q) => mustSweep(q, at), false)
    if (isDue) await this.#write((q) => sweep(q, at))
  }

  #read<T>(act: (q: Queries) => T, empty: T): Promise<T> {
    return this.#parts.home.read(act, () => empty)
  }

  #write<T>(act: (q: Queries) => T): Promise<T> {
    return this.#parts.group.write(({ q }) => act(q), { durable: false })
  }

  /** Changes an existing home; does not create one. */
  async #change(act: (q: Queries) => number): Promise<number> {
    const isThere = await this.#read(() => true, false)
    return isThere ? this.#parts.group.write(({ q }) => act(q), { durable: true }) : 0
  }
}

function put(
  q: Queries,
  owner: MemoryOwner,
  { key, content, saved_at, expires_at }: MemoryItem,
  source: KeptItem['source'],
  unless: string,
): void {
  q.run(
    `INSERT INTO items (definition, agent_id, scope, user, session, key, content, saved_at, expires_at, source)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET content = excluded.content, saved_at = excluded.saved_at,
       expires_at = excluded.expires_at, source = excluded.source, revision = revision + 1, vector = NULL ${unless}`,
    ...ownerValues(owner),
    key,
    content,
    saved_at,
    expires_at,
    source,
  )
}

/** Using a session extends its lifetime. */
function touch(q: Queries, { definition, agent_id, scope, user, session }: MemoryOwner, at: number): void {
  if (scope !== 'session') return
  q.run(
    'INSERT INTO sessions VALUES (?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET used_at = max(used_at, excluded.used_at)',
    definition,
    agent_id,
    user,
    session,
    at,
  )
}

function mustSweep(q: Queries, at: number): boolean {
  return (
    q.get('SELECT 1 FROM items WHERE expires_at IS NOT NULL AND expires_at <= ? LIMIT 1', at) !== undefined ||
    q.get('SELECT 1 FROM sessions WHERE used_at <= ? LIMIT 1', at - SESSION_IDLE_MS) !== undefined ||
    q.get('SELECT 1 FROM calls WHERE at < ? LIMIT 1', at - CALLS_KEPT_MS) !== undefined
  )
}

function hasItems(q: Queries, owner: MemoryOwner): boolean {
  return q.get(`SELECT 1 FROM items WHERE ${OWNED} LIMIT 1`, ...ownerValues(owner)) !== undefined
}

function sweep(q: Queries, at: number): void {
  q.run('DELETE FROM items WHERE expires_at IS NOT NULL AND expires_at <= ?', at)
  q.run('DELETE FROM calls WHERE at < ?', at - CALLS_KEPT_MS)
  const idle = at - SESSION_IDLE_MS
  for (const table of ['items', 'seeds']) {
    q.run(
      `DELETE FROM ${table} WHERE scope = 'session' AND EXISTS (SELECT 1 FROM sessions AS s WHERE s.used_at <= ?
         AND s.definition = ${table}.definition AND s.agent_id = ${table}.agent_id AND s.user = ${table}.user
         AND s.session = ${table}.session)`,
      idle,
    )
  }
  q.run('DELETE FROM sessions WHERE used_at <= ?', idle)
}

function ownerValues({ definition, agent_id, scope, user, session }: MemoryOwner): readonly string[] {
  return [definition, agent_id, scope, user, session]
}

function conditionOf(
  filter: MemoryFilter,
  ...more: readonly string[]
): { readonly where: string; readonly values: readonly string[] } {
  const asked = (['definition', 'agent_id', 'user', 'session', 'key'] as const).flatMap((name) => {
    const value = filter[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  const conditions = [...more, ...asked.map(([name]) => `${name} = ?`)]
  return {
    where: conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`,
    values: asked.map(([, value]) => value),
  }
}

function plain(row: KeptItem): KeptItem {
  return { ...row }
}
