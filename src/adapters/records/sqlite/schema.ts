import type { DatabaseSync } from 'node:sqlite'
import { WaybillError } from '../../../document/issue.ts'
import { COPIES } from './copy-schema.ts'
import { MOVES } from './move-schema.ts'

/** "WBL1": identifies databases of Waybill. */
const APPLICATION_ID = 0x57424c31

/**
 * Data that changes with every append is in a separate table (`progress`), and events are stored in write order, so
 * that an append changes few pages, even if many runs are written together.
 */
const FIRST = `
  CREATE TABLE processes (
    lock TEXT PRIMARY KEY, pid INTEGER NOT NULL, host TEXT NOT NULL, started_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE plans (hash TEXT PRIMARY KEY, body TEXT NOT NULL, checksum INTEGER NOT NULL) STRICT;
  CREATE TABLE run_plans (
    hash TEXT NOT NULL, run INTEGER NOT NULL, PRIMARY KEY (hash, run)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX run_plans_by_run ON run_plans (run);

  CREATE TABLE runs (
    id INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL UNIQUE, v INTEGER NOT NULL,
    header TEXT NOT NULL, first TEXT NOT NULL, imported INTEGER NOT NULL, created_at INTEGER NOT NULL,
    agent_id TEXT NOT NULL, user TEXT, batch TEXT, parent TEXT, root TEXT, plans TEXT NOT NULL, checksum INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX runs_by_time ON runs (created_at DESC, run_id DESC);
  CREATE INDEX runs_by_agent ON runs (agent_id, created_at DESC, run_id DESC);
  CREATE INDEX runs_by_parent ON runs (parent) WHERE parent IS NOT NULL;
  CREATE INDEX runs_by_root ON runs (root) WHERE root IS NOT NULL;
  CREATE TABLE progress (
    run INTEGER PRIMARY KEY, epoch INTEGER NOT NULL, holder TEXT, seq INTEGER NOT NULL, status TEXT NOT NULL,
    stop_reason TEXT, questions INTEGER NOT NULL, updated_at INTEGER NOT NULL, checksum INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX progress_by_holder ON progress (holder) WHERE holder IS NOT NULL;
  CREATE INDEX progress_with_questions ON progress (run) WHERE questions > 0;

  CREATE TABLE events (
    n INTEGER PRIMARY KEY, run INTEGER NOT NULL, seq INTEGER NOT NULL, line TEXT NOT NULL, checksum INTEGER NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX events_of_run ON events (run, seq);
  CREATE TABLE decisions (
    n INTEGER PRIMARY KEY, run INTEGER NOT NULL, key TEXT NOT NULL, asked INTEGER NOT NULL,
    line TEXT NOT NULL, checksum INTEGER NOT NULL, UNIQUE (run, key, asked)
  ) STRICT;
  CREATE TABLE sealed (
    n INTEGER PRIMARY KEY, root TEXT NOT NULL, line TEXT NOT NULL, checksum INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX sealed_by_root ON sealed (root, n);

  CREATE TABLE slots (
    ticket INTEGER PRIMARY KEY AUTOINCREMENT, agent TEXT NOT NULL, agent_name TEXT NOT NULL, most INTEGER NOT NULL,
    run_id TEXT NOT NULL, above TEXT NOT NULL, holder TEXT NOT NULL, granted INTEGER NOT NULL
  ) STRICT;
  CREATE INDEX slots_by_agent ON slots (agent, ticket);
  CREATE INDEX slots_by_holder ON slots (holder);

  CREATE TABLE grants (
    n INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, body TEXT NOT NULL, checksum INTEGER NOT NULL
  ) STRICT;

  CREATE TABLE audit (n INTEGER PRIMARY KEY, line TEXT NOT NULL) STRICT;
  CREATE TABLE audit_head (one INTEGER PRIMARY KEY CHECK (one = 1), line TEXT NOT NULL) STRICT;

  CREATE TABLE routes (name TEXT PRIMARY KEY, body TEXT NOT NULL) STRICT, WITHOUT ROWID;

  CREATE TABLE items (
    definition TEXT NOT NULL, agent_id TEXT NOT NULL, scope TEXT NOT NULL, user TEXT NOT NULL,
    session TEXT NOT NULL, key TEXT NOT NULL, content TEXT NOT NULL, saved_at INTEGER NOT NULL, expires_at INTEGER,
    revision INTEGER NOT NULL DEFAULT 1, source TEXT NOT NULL, vector BLOB,
    PRIMARY KEY (definition, agent_id, scope, user, session, key)
  ) STRICT;
  CREATE INDEX items_by_expiry ON items (expires_at) WHERE expires_at IS NOT NULL;
  CREATE TABLE seeds (
    definition TEXT NOT NULL, agent_id TEXT NOT NULL, scope TEXT NOT NULL, user TEXT NOT NULL,
    session TEXT NOT NULL, key TEXT NOT NULL, sha256 TEXT NOT NULL,
    PRIMARY KEY (definition, agent_id, scope, user, session, key, sha256)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE sessions (
    definition TEXT NOT NULL, agent_id TEXT NOT NULL, user TEXT NOT NULL, session TEXT NOT NULL,
    used_at INTEGER NOT NULL, PRIMARY KEY (definition, agent_id, user, session)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX sessions_by_use ON sessions (used_at);
  CREATE TABLE calls (call_key TEXT PRIMARY KEY, at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE INDEX calls_by_time ON calls (at);
`

/** Requests to pause a run, to the process that drives it. */
const PAUSES = `
  CREATE TABLE pauses (run INTEGER PRIMARY KEY, by TEXT NOT NULL) STRICT;
`

/** In order, forward only: migration n converts version n to n + 1. */
const MIGRATIONS: readonly string[] = [FIRST, PAUSES, MOVES, COPIES]

export const SCHEMA_VERSION = MIGRATIONS.length

/** Returns the schema version of a database: 0 before the first migration. @throws RECORD_NEWER, RECORD_DAMAGED */
export function schemaVersion(db: DatabaseSync, file: string): number {
  if (db.isTransaction) return readVersion(db, file)
  // Read in one snapshot: another process may be creating the database, and commits tables and version together.
  db.exec('BEGIN')
  try {
    return readVersion(db, file)
  } finally {
    // If the disk is full, SQLite has already rolled back.
    if (db.isTransaction) db.exec('ROLLBACK')
  }
}

function readVersion(db: DatabaseSync, file: string): number {
  const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number }
  const { application_id: id } = db.prepare('PRAGMA application_id').get() as { application_id: number }
  if (id !== 0 && id !== APPLICATION_ID) throw notOurs(file)
  if (version === 0 && db.prepare('SELECT 1 FROM sqlite_master LIMIT 1').get() !== undefined)
    throw notOurs(file)
  if (version <= SCHEMA_VERSION) return version
  throw new WaybillError('RECORD_NEWER', {
    fault: 'failed',
    file,
    message: `the database was written by a later version of Waybill (schema ${version}, this version supports ${SCHEMA_VERSION})`,
    hint: 'use that version, which can also run `waybill resume`, or set WAYBILL_HOME to another folder',
  })
}

/** Migrates the schema, all migrations in one transaction. @throws SQLITE_BUSY while another process migrates it */
export function migrate(db: DatabaseSync, file: string): void {
  if (schemaVersion(db, file) === SCHEMA_VERSION) return
  db.exec('BEGIN IMMEDIATE')
  try {
    // Another process may have migrated it before the lock was acquired.
    for (const step of MIGRATIONS.slice(schemaVersion(db, file))) db.exec(step)
    db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${SCHEMA_VERSION}`)
    db.exec('COMMIT')
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw error
  }
}

function notOurs(file: string): WaybillError {
  return new WaybillError('RECORD_DAMAGED', {
    fault: 'failed',
    file,
    message: `${file} is not a database of Waybill`,
    hint: 'restore it from a backup, move it away, or set WAYBILL_HOME to another folder; `waybill resume` works again afterwards',
  })
}
