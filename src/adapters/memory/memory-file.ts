import { closeSync, existsSync, openSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { WaybillError } from '../../document/issue.ts'
import type { MemoryOwner, MemoryStore } from '../../run/extension.ts'
import type { MemoryItem } from '../../run/state.ts'

export interface StoredItem extends MemoryOwner, MemoryItem {
  /** How often the item was written. */
  readonly revision: number
  readonly source: 'definition' | 'agent'
}

/** Which items an operator means; an absent member means all. */
export interface MemoryFilter {
  readonly agent_id?: string
  readonly user?: string
  readonly session?: string
  readonly key?: string
}

/** A session that nobody has used for this long has ended (AAIF §4.5: its memory must not outlive it). */
export const SESSION_IDLE_MS = 24 * 60 * 60 * 1000
/** A call is sent again at most after its run was resumed; what is older is not asked for any more. */
const CALLS_KEPT_MS = 90 * 24 * 60 * 60 * 1000
/** How long to wait for another process that writes. */
const BUSY_MS = 5000
const VERSION = 1

const TABLES = `
  CREATE TABLE IF NOT EXISTS items (
    agent_id TEXT NOT NULL, scope TEXT NOT NULL, user TEXT NOT NULL, session TEXT NOT NULL, key TEXT NOT NULL,
    content TEXT NOT NULL, saved_at INTEGER NOT NULL, expires_at INTEGER,
    revision INTEGER NOT NULL DEFAULT 1, source TEXT NOT NULL, vector BLOB,
    PRIMARY KEY (agent_id, scope, user, session, key)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS seeds (
    agent_id TEXT NOT NULL, scope TEXT NOT NULL, user TEXT NOT NULL, session TEXT NOT NULL, key TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    PRIMARY KEY (agent_id, scope, user, session, key, sha256)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS sessions (
    agent_id TEXT NOT NULL, user TEXT NOT NULL, session TEXT NOT NULL, used_at INTEGER NOT NULL,
    PRIMARY KEY (agent_id, user, session)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS calls (call_key TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT;
`
const ITEM = 'agent_id, scope, user, session, key, content, saved_at, expires_at, revision, source'
const OWNED = 'agent_id = ? AND scope = ? AND user = ? AND session = ?'

/**
 * The items that agents keep beyond their runs, in one SQLite file that several processes may use at once.
 * Each method is one transaction. Every question names the agent, the scope and the owner: there is none over users.
 * @throws WaybillError MEMORY_DAMAGED, MEMORY_BUSY, MEMORY_UNWRITABLE, MEMORY_NEWER
 */
export class MemoryFile implements MemoryStore {
  readonly #file: string
  #open: DatabaseSync | undefined

  /** @param file made (0600) with the first item; not touched by looking into a file that is not there */
  constructor(file: string) {
    this.#file = file
  }

  /** Keeps what a definition declares: once for each owner, and never over what the agent itself has written. */
  seed(owner: MemoryOwner, item: MemoryItem, sha256: string): void {
    this.#write((db) => {
      const first = run(
        db,
        'INSERT OR IGNORE INTO seeds VALUES (?, ?, ?, ?, ?, ?)',
        ...ownerValues(owner),
        item.key,
        sha256,
      )
      if (first > 0) put(db, owner, item, 'definition', "WHERE items.source = 'definition'")
    })
  }

  /** @returns false when the call had been counted already, and nothing was changed */
  save(owner: MemoryOwner, item: MemoryItem, callKey: string): boolean {
    return this.#write((db) => {
      const first = run(db, 'INSERT OR IGNORE INTO calls VALUES (?, ?)', callKey, item.saved_at)
      if (first === 0) return false
      put(db, owner, item, 'agent', '')
      touch(db, owner, item.saved_at)
      return true
    })
  }

  /** The items of one owner, newest first. */
  items(owner: MemoryOwner, at: number): readonly StoredItem[] {
    return this.#write((db) => {
      sweep(db, at)
      touch(db, owner, at)
      const statement = `SELECT ${ITEM} FROM items WHERE ${OWNED} ORDER BY saved_at DESC, key`
      return db.prepare(statement).all(...ownerValues(owner)) as unknown as StoredItem[]
    })
  }

  /** What an operator may look at, whoever owns it. */
  list(filter: MemoryFilter, at: number): readonly StoredItem[] {
    if (!existsSync(this.#file)) return []
    return this.#write((db) => {
      sweep(db, at)
      const { where, values } = conditionOf(filter)
      const statement = `SELECT ${ITEM} FROM items ${where} ORDER BY agent_id, scope, user, session, key`
      return db.prepare(statement).all(...values) as unknown as StoredItem[]
    })
  }

  /** @returns how many items are gone */
  forget(filter: MemoryFilter): number {
    if (!existsSync(this.#file)) return 0
    const { where, values } = conditionOf(filter)
    const gone = this.#write((db) => run(db, `DELETE FROM items ${where}`, ...values))
    this.#leaveNoTrace()
    return gone
  }

  /** Ends a session: what it left is gone, and the definition's own items would be kept anew for another of its name. */
  endSession(session: string, filter: Pick<MemoryFilter, 'agent_id' | 'user'> = {}): number {
    if (!existsSync(this.#file)) return 0
    const { where, values } = conditionOf({ ...filter, session })
    const gone = this.#write((db) => {
      const items = run(db, `DELETE FROM items ${where}`, ...values)
      run(db, `DELETE FROM seeds ${where}`, ...values)
      run(db, `DELETE FROM sessions ${where}`, ...values)
      return items
    })
    this.#leaveNoTrace()
    return gone
  }

  vectors(owner: MemoryOwner): ReadonlyMap<string, Float32Array> {
    return this.#write((db) => {
      const rows = db
        .prepare(`SELECT key, vector FROM items WHERE ${OWNED} AND vector IS NOT NULL`)
        .all(...ownerValues(owner)) as { key: string; vector: Uint8Array }[]
      return new Map(rows.map(({ key, vector }) => [key, new Float32Array(vector.slice().buffer)]))
    })
  }

  keepVector(owner: MemoryOwner, { key, content }: MemoryItem, vector: Float32Array): void {
    const bytes = new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength)
    this.#write((db) =>
      run(
        db,
        `UPDATE items SET vector = ? WHERE ${OWNED} AND key = ? AND content = ?`,
        bytes,
        ...ownerValues(owner),
        key,
        content,
      ),
    )
  }

  close(): void {
    this.#open?.close()
    this.#open = undefined
  }

  #write<T>(act: (db: DatabaseSync) => T): T {
    try {
      this.#open ??= openFile(this.#file)
      const db = this.#open
      db.exec('BEGIN IMMEDIATE')
      try {
        const result = act(db)
        db.exec('COMMIT')
        return result
      } catch (error) {
        rollBack(db)
        throw error
      }
    } catch (error) {
      throw asMemoryError(error, this.#file)
    }
  }

  /** What is forgotten must not lie about in the write-ahead log either. */
  #leaveNoTrace(): void {
    try {
      this.#open?.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    } catch {
      // Another process reads; its own checkpoint clears the log.
    }
  }
}

function openFile(file: string): DatabaseSync {
  // Made first, because SQLite gives the write-ahead log the mode of the file.
  closeSync(openSync(file, 'a', 0o600))
  const db = new DatabaseSync(file)
  try {
    db.exec(`PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA journal_mode = WAL; PRAGMA secure_delete = ON`)
    const { user_version } = db.prepare('PRAGMA user_version').get() as { user_version: number }
    if (user_version > VERSION) {
      throw new WaybillError('MEMORY_NEWER', {
        fault: 'failed',
        file,
        message: 'the memory was written by a later version of Waybill',
        hint: 'use that version, or name another home with WAYBILL_HOME',
      })
    }
    if (user_version < VERSION) db.exec(`BEGIN IMMEDIATE; ${TABLES} PRAGMA user_version = ${VERSION}; COMMIT`)
    return db
  } catch (error) {
    db.close()
    throw error
  }
}

function put(
  db: DatabaseSync,
  owner: MemoryOwner,
  { key, content, saved_at, expires_at }: MemoryItem,
  source: StoredItem['source'],
  unless: string,
): void {
  run(
    db,
    `INSERT INTO items (agent_id, scope, user, session, key, content, saved_at, expires_at, source)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
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

/** A session lives as long as it is used. */
function touch(db: DatabaseSync, { agent_id, scope, user, session }: MemoryOwner, at: number): void {
  if (scope !== 'session') return
  run(
    db,
    'INSERT INTO sessions VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET used_at = max(used_at, excluded.used_at)',
    agent_id,
    user,
    session,
    at,
  )
}

function sweep(db: DatabaseSync, at: number): void {
  run(db, 'DELETE FROM items WHERE expires_at IS NOT NULL AND expires_at <= ?', at)
  run(db, 'DELETE FROM calls WHERE at < ?', at - CALLS_KEPT_MS)
  const idle = at - SESSION_IDLE_MS
  for (const table of ['items', 'seeds']) {
    run(
      db,
      `DELETE FROM ${table} WHERE scope = 'session' AND EXISTS (SELECT 1 FROM sessions AS s WHERE s.used_at <= ?
         AND s.agent_id = ${table}.agent_id AND s.user = ${table}.user AND s.session = ${table}.session)`,
      idle,
    )
  }
  run(db, 'DELETE FROM sessions WHERE used_at <= ?', idle)
}

function ownerValues({ agent_id, scope, user, session }: MemoryOwner): readonly string[] {
  return [agent_id, scope, user, session]
}

function conditionOf(filter: MemoryFilter): { readonly where: string; readonly values: readonly string[] } {
  const asked = (['agent_id', 'user', 'session', 'key'] as const).flatMap((name) => {
    const value = filter[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  if (asked.length === 0) return { where: '', values: [] }
  return {
    where: `WHERE ${asked.map(([name]) => `${name} = ?`).join(' AND ')}`,
    values: asked.map(([, value]) => value),
  }
}

/** @returns how many rows it changed */
function run(db: DatabaseSync, statement: string, ...values: SQLInputValue[]): number {
  return Number(db.prepare(statement).run(...values).changes)
}

function rollBack(db: DatabaseSync): void {
  try {
    db.exec('ROLLBACK')
  } catch {
    // SQLite has rolled back by itself, as it does when the disk is full.
  }
}

const BUSY = 5
const CORRUPT = 11
const NOT_A_DATABASE = 26

/** @see https://www.sqlite.org/rescode.html */
function asMemoryError(error: unknown, file: string): unknown {
  if (error instanceof WaybillError) return error
  const { errcode, code, message } = error as { errcode?: number; code?: string; message: string }
  const primary = errcode === undefined ? undefined : errcode & 0xff
  if (primary === CORRUPT || primary === NOT_A_DATABASE) {
    return new WaybillError('MEMORY_DAMAGED', {
      fault: 'failed',
      file,
      message: `the memory in ${file} is damaged: ${message}`,
      hint: 'restore the file from a backup, or move it away to begin with an empty memory',
      cause: error,
    })
  }
  if (primary === BUSY) {
    return new WaybillError('MEMORY_BUSY', {
      fault: 'failed',
      file,
      message: `another process has been writing to the memory for more than ${BUSY_MS / 1000} s`,
      hint: 'try again; if it stays so, find the process that holds the file open',
      cause: error,
    })
  }
  if (primary === undefined && code === undefined) return error
  return new WaybillError('MEMORY_UNWRITABLE', {
    fault: 'failed',
    file,
    message: `the memory cannot be opened or written: ${message}`,
    hint: 'look at the rights of the file and its folder, and at the space on the disk',
    cause: error,
  })
}
