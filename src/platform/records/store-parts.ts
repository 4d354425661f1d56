import type { EntryMaker } from '../../trust/audit-chain.ts'
import type { GroupCommit } from './group-commit.ts'
import type { Store } from './store.ts'

/** State shared by the records of one organisation. */
export interface StoreParts {
  readonly store: Store
  /** Commits the appends of a worker; null for a request. */
  readonly group: GroupCommit | null
  readonly nextEntry: EntryMaker
  /** Called after the record of a write that must not be repeated was stored, and before the write leaves. */
  readonly stampSent?: (() => Promise<void>) | undefined
}
