import { defined } from '../../document/defined.ts'
import type { MemoryOwner } from '../../run/extension.ts'
import { PAGE_LIMIT, pageOfItems, readItemCursor } from '../../run/record/page-cursor.ts'
import type { KeptItem, MemoryFilter, MemoryRecords, Page, PageOf } from '../../run/record/records.ts'
import type { RunHeader } from '../../run/record/run-header.ts'
import { SESSION_IDLE_MS } from '../../run/record/session-idle.ts'
import type { MemoryItem } from '../../run/state.ts'
import { originalText, storedText, textOrNull } from '../database/stored-text.ts'
import type { Sql } from '../database/tenant.ts'
import type { Store } from './store.ts'

/** How long call keys are kept: a call is repeated at most when its run is resumed. */
const CALLS_KEPT_MS = 90 * 24 * 60 * 60 * 1000

const ITEM =
  'definition, agent_id, scope, user_id, session, key, content, saved_at, expires_at, revision, source, run_id, on_behalf_of'
const KEY = 'definition, agent_id, scope, user_id, session, key'
const OWNED =
  'org = $1 AND definition = $2 AND agent_id = $3 AND scope = $4 AND user_id = $5 AND session = $6'

interface ItemRow extends Omit<KeptItem, 'user' | 'run_id' | 'on_behalf_of'> {
  readonly user_id: string
  readonly run_id: string | null
  readonly on_behalf_of: string | null
}

interface MemoryParts {
  readonly store: Pick<Store, 'org' | 'read' | 'write'>
}

/**
 * The items that agents keep beyond their runs. Every query names the organisation, the definition, the agent, the scope
 * and the owner; only an operator can query across users.
 */
export class PostgresMemory implements MemoryRecords {
  readonly #parts: MemoryParts

  constructor(parts: MemoryParts) {
    this.#parts = parts
  }

  /** Returns the same items, read and written in a transaction of the caller. */
  within(sql: Sql): PostgresMemory {
    const act = <T>(work: (sql: Sql) => Promise<T>) => work(sql)
    return new PostgresMemory({ store: { org: this.#org, read: act, write: act } })
  }

  async seed(owner: MemoryOwner, item: MemoryItem, sha256: string): Promise<void> {
    const values = [...this.#values(owner), storedText(item.key), sha256]
    // Every recall seeds, but only the first one writes.
    const known = await this.#read(
      async (sql) =>
        (await sql.query(`SELECT 1 FROM waybill.seeds WHERE ${OWNED} AND key = $7 AND sha256 = $8`, values))
          .rowCount === 1,
    )
    if (known) return
    await this.#write(async (sql) => {
      const { rowCount } = await sql.query(
        `INSERT INTO waybill.seeds (org, definition, agent_id, scope, user_id, session, key, sha256)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING`,
        values,
      )
      // Another process may have been faster.
      if (rowCount === 1) await this.#put(sql, owner, item, 'definition', "WHERE items.source = 'definition'")
    })
  }

  /** @returns false if the call was already counted; then nothing is changed */
  save(owner: MemoryOwner, item: MemoryItem, callKey: string, runId?: string): Promise<boolean> {
    return this.#write(async (sql) => {
      const { rowCount } = await sql.query(
        'INSERT INTO waybill.saved_calls (org, call_key, at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
        [this.#org, storedText(callKey), item.saved_at],
      )
      if (rowCount === 0) return false
      await this.#put(
        sql,
        owner,
        item,
        'agent',
        '',
        runId === undefined ? {} : await this.#writer(sql, runId),
      )
      await this.#touch(sql, owner, item.saved_at)
      return true
    })
  }

  async items(owner: MemoryOwner, at: number): Promise<readonly KeptItem[]> {
    await this.#sweepIfDue(at)
    const values = this.#values(owner)
    const select = async (sql: Sql) => {
      const { rows } = await sql.query<ItemRow>(
        `SELECT ${ITEM} FROM waybill.items WHERE ${OWNED} AND (expires_at IS NULL OR expires_at > $7)
         ORDER BY saved_at DESC, key COLLATE "C"`,
        [...values, at],
      )
      return rows.map(itemOf)
    }
    if (owner.scope !== 'session') return this.#read(select)
    // Using a session extends its lifetime, which is a write.
    return this.#write(async (sql) => {
      const { rowCount } = await sql.query(`SELECT 1 FROM waybill.items WHERE ${OWNED} LIMIT 1`, values)
      if (rowCount === 1) await this.#touch(sql, owner, at)
      return select(sql)
    })
  }

  async list(filter: MemoryFilter, at: number): Promise<readonly KeptItem[]> {
    await this.#sweepIfDue(at)
    const { where, values } = this.#condition(filter)
    return this.#read(async (sql) => {
      const { rows } = await sql.query<ItemRow>(
        `SELECT ${ITEM} FROM waybill.items WHERE ${where} AND (expires_at IS NULL OR expires_at > $${values.length + 1})
         ORDER BY agent_id COLLATE "C", scope COLLATE "C", user_id COLLATE "C", session COLLATE "C", key COLLATE "C"`,
        [...values, at],
      )
      return rows.map(itemOf)
    })
  }

  async page(
    filter: MemoryFilter,
    at: number,
    { limit = PAGE_LIMIT, cursor }: Page,
  ): Promise<PageOf<KeptItem>> {
    const after = cursor === undefined ? undefined : readItemCursor(cursor).map(storedText)
    await this.#sweepIfDue(at)
    const { where, values } = this.#condition(filter)
    const next = values.length + 3
    const rest = after?.map((_part, index) => `$${next + index}`).join(', ')
    return this.#read(async (sql) => {
      const { rows } = await sql.query<ItemRow>(
        `SELECT ${ITEM} FROM waybill.items
         WHERE ${where} AND (expires_at IS NULL OR expires_at > $${values.length + 1})
           ${rest === undefined ? '' : `AND (${KEY}) > (${rest})`} ORDER BY ${KEY} LIMIT $${values.length + 2}`,
        [...values, at, limit + 1, ...(after ?? [])],
      )
      return pageOfItems(rows.map(itemOf), limit)
    })
  }

  forget(filter: MemoryFilter): Promise<number> {
    const { where, values } = this.#condition(filter)
    return this.#parts.store.write(async (sql) => {
      const { rowCount } = await sql.query(`DELETE FROM waybill.items WHERE ${where}`, [...values])
      return rowCount ?? 0
    })
  }

  endSession(session: string, filter: Pick<MemoryFilter, 'agent_id' | 'user'> = {}): Promise<number> {
    const { where, values } = this.#condition({ ...filter, session })
    return this.#parts.store.write(async (sql) => {
      const { rowCount } = await sql.query(`DELETE FROM waybill.items WHERE ${where}`, [...values])
      for (const table of ['seeds', 'memory_sessions'])
        await sql.query(`DELETE FROM waybill.${table} WHERE ${where}`, [...values])
      return rowCount ?? 0
    })
  }

  vectors(owner: MemoryOwner): Promise<ReadonlyMap<string, Float32Array>> {
    return this.#read(async (sql) => {
      const { rows } = await sql.query<{ key: string; vector: Buffer }>(
        `SELECT key, vector FROM waybill.items WHERE ${OWNED} AND vector IS NOT NULL`,
        this.#values(owner),
      )
      return new Map(
        rows.map(({ key, vector }) => [originalText(key), new Float32Array(Uint8Array.from(vector).buffer)]),
      )
    })
  }

  async keepVector(owner: MemoryOwner, { key, content }: MemoryItem, vector: Float32Array): Promise<void> {
    const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)
    await this.#write((sql) =>
      sql.query(`UPDATE waybill.items SET vector = $9 WHERE ${OWNED} AND key = $7 AND content = $8`, [
        ...this.#values(owner),
        storedText(key),
        storedText(content),
        bytes,
      ]),
    )
  }

  async #sweepIfDue(at: number): Promise<void> {
    const idle = at - SESSION_IDLE_MS
    const old = at - CALLS_KEPT_MS
    const isDue = await this.#read(async (sql) => {
      const { rows } = await sql.query<{ due: boolean }>(
        `SELECT EXISTS (SELECT 1 FROM waybill.items WHERE org = $1 AND expires_at <= $2)
           OR EXISTS (SELECT 1 FROM waybill.memory_sessions WHERE org = $1 AND used_at <= $3)
           OR EXISTS (SELECT 1 FROM waybill.saved_calls WHERE org = $1 AND at < $4) AS due`,
        [this.#org, at, idle, old],
      )
      return rows[0]?.due === true
    })
    if (!isDue) return
    await this.#write(async (sql) => {
      await sql.query('DELETE FROM waybill.items WHERE org = $1 AND expires_at <= $2', [this.#org, at])
      await sql.query('DELETE FROM waybill.saved_calls WHERE org = $1 AND at < $2', [this.#org, old])
      for (const table of ['items', 'seeds'])
        await sql.query(
          `DELETE FROM waybill.${table} AS t USING waybill.memory_sessions AS s
           WHERE t.org = $1 AND t.scope = 'session' AND s.org = $1 AND s.used_at <= $2 AND s.definition = t.definition
             AND s.agent_id = t.agent_id AND s.user_id = t.user_id AND s.session = t.session`,
          [this.#org, idle],
        )
      await sql.query('DELETE FROM waybill.memory_sessions WHERE org = $1 AND used_at <= $2', [
        this.#org,
        idle,
      ])
    })
  }

  async #put(
    sql: Sql,
    owner: MemoryOwner,
    { key, content, saved_at, expires_at }: MemoryItem,
    source: KeptItem['source'],
    unless: string,
    { run_id, on_behalf_of }: Pick<KeptItem, 'run_id' | 'on_behalf_of'> = {},
  ): Promise<void> {
    await sql.query(
      `INSERT INTO waybill.items (org, definition, agent_id, scope, user_id, session, key, content, saved_at, expires_at,
         source, run_id, on_behalf_of)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
       ON CONFLICT (org, definition, agent_id, scope, user_id, session, key) DO UPDATE SET content = excluded.content,
         saved_at = excluded.saved_at, expires_at = excluded.expires_at, source = excluded.source,
         run_id = excluded.run_id, on_behalf_of = excluded.on_behalf_of, revision = items.revision + 1, vector = NULL ${unless}`,
      [
        ...this.#values(owner),
        storedText(key),
        storedText(content),
        saved_at,
        expires_at,
        source,
        textOrNull(run_id),
        textOrNull(on_behalf_of),
      ],
    )
  }

  /** Read as JSON here: PostgreSQL refuses escapes that a header may contain. */
  async #writer(sql: Sql, run_id: string): Promise<Pick<KeptItem, 'run_id' | 'on_behalf_of'>> {
    const { rows } = await sql.query<{ header: string }>(
      'SELECT header FROM waybill.runs WHERE org = $1 AND run_id = $2',
      [this.#org, storedText(run_id)],
    )
    const header: Partial<RunHeader> = rows[0] === undefined ? {} : JSON.parse(rows[0].header)
    return { run_id, ...defined({ on_behalf_of: header.on_behalf_of }) }
  }

  /** Using a session extends its lifetime. */
  async #touch(
    sql: Sql,
    { definition, agent_id, scope, user, session }: MemoryOwner,
    at: number,
  ): Promise<void> {
    if (scope !== 'session') return
    await sql.query(
      `INSERT INTO waybill.memory_sessions AS s (org, definition, agent_id, user_id, session, used_at)
       VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (org, definition, agent_id, user_id, session) DO UPDATE
         SET used_at = greatest(s.used_at, excluded.used_at)`,
      [this.#org, ...[definition, agent_id, user, session].map(storedText), at],
    )
  }

  #condition(filter: MemoryFilter): { readonly where: string; readonly values: readonly unknown[] } {
    const columns = {
      definition: 'definition',
      agent_id: 'agent_id',
      user: 'user_id',
      session: 'session',
      key: 'key',
    }
    const values: unknown[] = [this.#org]
    const conditions = ['org = $1']
    for (const name of ['definition', 'agent_id', 'user', 'session', 'key'] as const) {
      const value = filter[name]
      if (value !== undefined) conditions.push(`${columns[name]} = $${values.push(storedText(value))}`)
    }
    return { where: conditions.join(' AND '), values }
  }

  #values({ definition, agent_id, scope, user, session }: MemoryOwner): unknown[] {
    return [this.#org, ...[definition, agent_id, scope, user, session].map(storedText)]
  }

  get #org(): string {
    return this.#parts.store.org
  }

  #read<T>(act: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#parts.store.read(act)
  }

  /** Writes that may be lost in a crash of the database, like the run that made them. */
  #write<T>(act: (sql: Sql) => Promise<T>): Promise<T> {
    return this.#parts.store.write(act, { durable: false })
  }
}

function itemOf({ user_id, run_id, on_behalf_of, ...row }: ItemRow): KeptItem {
  return {
    ...row,
    ...(run_id !== null && { run_id: originalText(run_id) }),
    ...(on_behalf_of !== null && { on_behalf_of: originalText(on_behalf_of) }),
    definition: originalText(row.definition),
    agent_id: originalText(row.agent_id),
    user: originalText(user_id),
    session: originalText(row.session),
    key: originalText(row.key),
    content: originalText(row.content),
  }
}
