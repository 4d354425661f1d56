import type { KeyObject } from 'node:crypto'
import type { Records } from '../../run/record/records.ts'
import { TicketSlots } from '../../run/record/ticket-slots.ts'
import { entryMaker } from '../../trust/audit-chain.ts'
import type { Database } from '../database/open-database.ts'
import { PostgresAudit } from './audit-records.ts'
import { PostgresGrants } from './grant-records.ts'
import { GroupCommit } from './group-commit.ts'
import { PostgresMemory } from './memory-records.ts'
import { PostgresRoutes } from './route-records.ts'
import { PostgresRuns } from './run-records.ts'
import { Store } from './store.ts'
import { postgresTickets } from './tickets.ts'

export interface PostgresRecordsOptions {
  /**
   * The row of `workers` that holds leases and slots, for as long as its time has not passed. Null for a request, which
   * can neither open runs nor append to them.
   */
  readonly worker: string | null
  /** Returns the key that signs the organisation’s audit entries (see `entryMaker`). */
  readonly signAudit: (keyId?: string) => KeyObject
  /** Commits the appends of all organisations of this process together; default: one for these records. */
  readonly group?: GroupCommit
  /** See `StoreParts`. */
  readonly stampSent?: (() => Promise<void>) | undefined
}

export interface PostgresRecords extends Records {
  readonly runs: PostgresRuns
  readonly slots: TicketSlots
  readonly grants: PostgresGrants
  readonly memory: PostgresMemory
  readonly audit: PostgresAudit
  readonly routes: PostgresRoutes
  close(): Promise<void>
  /** Stops without releasing leases and slots, like a crashed process: for tests. */
  abandon(): void
}

/**
 * Opens the records of one organisation: for a worker with the role of the engine, else with that of requests. Does not
 * connect yet. The database must be closed after them.
 */
export function openPostgresRecords(
  database: Pick<Database, 'app' | 'engine'>,
  org: string,
  { worker, signAudit, group: shared, stampSent }: PostgresRecordsOptions,
): PostgresRecords {
  const store = new Store(worker === null ? database.app : database.engine, org, worker)
  const group = worker === null ? null : (shared ?? new GroupCommit(database.engine))
  const parts = { store, group, nextEntry: entryMaker(signAudit), stampSent }
  const runs = new PostgresRuns(parts)
  const slots = new TicketSlots(postgresTickets(parts))
  let closing: Promise<void> | undefined
  const close = async () => {
    await group?.drained()
    await slots.close()
    await runs.close()
  }
  return {
    runs,
    slots,
    grants: new PostgresGrants(parts),
    memory: new PostgresMemory(parts),
    audit: new PostgresAudit(parts),
    routes: new PostgresRoutes(parts),
    close() {
      closing ??= close()
      return closing
    },
    abandon() {
      slots.stop()
      if (shared === undefined) group?.stop()
    },
  }
}
