import type pg from 'pg'
import type { Principal } from '../../session/principal.ts'
import type { AgentState } from '../../spec/aaif/generated/state.ts'
import type { EntryMaker } from '../../trust/audit-chain.ts'
import type { MigrationClaims } from '../../trust/migration-token.ts'
import type { SealedAbout } from '../../trust/seal-for.ts'
import type { Planner } from '../agents/planner.ts'
import type { PostgresRecords } from '../records/open-postgres-records.ts'
import type { PeerRow } from './peer-rows.ts'

/** What takes states over for one organisation. */
export interface ReceiverParts {
  readonly app: pg.Pool
  readonly org: string
  /** Who imports it. */
  readonly by: string
  /** Of the organisation; see {@link causersIn}. */
  readonly principal: Principal
  readonly records: PostgresRecords
  readonly planner: Pick<Planner, 'restored' | 'receiving' | 'isSubagent'>
  /** How long the state of a sub-agent waits for that of its caller. */
  readonly keptMinutes: number
  readonly nextEntry: EntryMaker
  readonly publicUrl: string | undefined
  /**
   * Opens what was sealed for a key of this platform.
   * @throws SEAL_UNREADABLE; AUDIT_KEY_WRONG if the key is not here, or was revoked
   */
  readonly unseal: (text: string, about: SealedAbout) => Promise<Buffer>
  readonly notify: (org: string, runId: string) => void
}

/** A state that was sent, as far as it is verified. */
export interface Verified {
  readonly document: AgentState
  /** Absent: nothing proves that the captured run has stopped. */
  readonly move?: {
    readonly claims: MigrationClaims
    readonly peer: string
    /** Its place. */
    readonly source: string
    readonly token: string
  }
  /** The platform that has pinned keys and users, if it is known. */
  readonly from: PeerRow | undefined
  /** Of a state that has arrived as a stream; that of another one is in the document. */
  readonly checksum?: string
}
