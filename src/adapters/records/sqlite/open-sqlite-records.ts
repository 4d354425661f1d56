import type { KeyObject } from 'node:crypto'
import { join, resolve } from 'node:path'
import type { Records } from '../../../run/record/records.ts'
import { TicketSlots } from '../../../run/record/ticket-slots.ts'
import { AuditChain } from './audit-chain-rows.ts'
import { SqliteAudit } from './audit-records.ts'
import { SqliteGrants } from './grant-records.ts'
import { type CommitCounts, GroupCommit } from './group-commit.ts'
import { HomeDatabase } from './home-database.ts'
import { SqliteMemory } from './memory-records.ts'
import { SqliteMoves } from './move-records.ts'
import { assertLocalFileSystem } from './network-file-system.ts'
import { generationOf, type NoticedCopy, noticeCopy } from './notice-copy.ts'
import { ProcessLocks } from './process-locks.ts'
import { SqliteRoutes } from './route-records.ts'
import { SqliteRuns } from './run-records.ts'
import { assertSafeSqlite } from './sqlite-version.ts'
import { sqliteTickets } from './tickets.ts'
import { WriteStamps } from './write-stamps.ts'

export const DATABASE = 'waybill.db'

export interface SqliteRecordsOptions {
  /** Returns the key that signs audit entries (see `entryMaker`). */
  readonly signAudit: (keyId?: string) => KeyObject
  /** Read-only; writes throw HOME_UNWRITABLE. */
  readonly readOnly?: boolean
  /** The pid of this process, shown by other processes. */
  readonly pid?: number
  /** The folder for the stamps of all homes, outside of this one; see {@link WriteStamps}. */
  readonly stampFolder?: string
  /** Called if the database was noticed to be a copy. */
  readonly onCopy?: (noticed: NoticedCopy) => void
}

export interface SqliteRecords extends Records {
  readonly runs: SqliteRuns
  readonly slots: TicketSlots
  readonly grants: SqliteGrants
  readonly memory: SqliteMemory
  readonly audit: SqliteAudit
  readonly routes: SqliteRoutes
  readonly moves: SqliteMoves
  /** Returns how often the home was noticed to be a copy, from 1. */
  generation(): Promise<number>
  close(): Promise<void>
  /** Number of commits and writes, for measurements. */
  counts(): CommitCounts
  /** Closes the files without releasing leases, like a crashed process: for tests. */
  abandon(): void
}

/**
 * Opens the records in the database `waybill.db` of a folder. The first write creates the folder and the database.
 * @throws SQLITE_TOO_OLD, HOME_NETWORK_FILE_SYSTEM
 */
export function openSqliteRecords(
  folder: string,
  { signAudit, readOnly = false, pid = process.pid, stampFolder, onCopy }: SqliteRecordsOptions,
): SqliteRecords {
  assertSafeSqlite(process.versions.sqlite)
  const place = resolve(folder)
  assertLocalFileSystem(place)
  const chain = new AuditChain(signAudit)
  const stamps = new WriteStamps(place, stampFolder)
  const file = join(place, DATABASE)
  const home = new HomeDatabase(file, readOnly, (q) => {
    const noticed = noticeCopy(q, file, stamps, chain)
    if (noticed !== null) onCopy?.(noticed)
  })
  const group = new GroupCommit(home)
  const locks = new ProcessLocks(join(place, 'locks'), pid)
  const parts = { home, group, locks, chain, stamps }
  const slots = new TicketSlots(sqliteTickets(parts))
  const runs = new SqliteRuns(parts)
  let closing: Promise<void> | undefined
  const close = async () => {
    // The tickets are released with the leases of the process.
    slots.stop()
    await group.drained()
    try {
      if (locks.isHeld) await group.write(({ q }) => locks.leave(q), { durable: false })
    } finally {
      locks.close()
      home.close()
    }
  }
  return {
    runs,
    slots,
    grants: new SqliteGrants(parts),
    memory: new SqliteMemory(parts),
    audit: new SqliteAudit(parts),
    routes: new SqliteRoutes(parts),
    moves: new SqliteMoves(parts, runs),
    generation: () => home.read(generationOf, () => 1),
    counts: () => group.counts(),
    close() {
      closing ??= close()
      return closing
    },
    abandon() {
      slots.stop()
      group.stop()
      locks.close({ keep: true })
      home.close()
    },
  }
}
