import type { AuditChain } from './audit-chain-rows.ts'
import type { GroupCommit } from './group-commit.ts'
import type { HomeDatabase } from './home-database.ts'
import type { ProcessLocks } from './process-locks.ts'
import type { WriteStamps } from './write-stamps.ts'

/** State shared by the records of one store. */
export interface StoreParts {
  readonly home: HomeDatabase
  readonly group: GroupCommit
  readonly locks: ProcessLocks
  readonly chain: AuditChain
  readonly stamps: WriteStamps
}
