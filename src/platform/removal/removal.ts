import type { Page, PageOf } from '../../run/record/records.ts'

/** How far the erasure of a user's data is. */
export interface Erasure {
  readonly id: string
  /** Null when the rows are removed: then only the digest `subject` is kept. */
  readonly user: string | null
  /** SHA-256 of the organisation and the user, in hexadecimal; the audit log names it too. */
  readonly subject: string
  readonly requested_by: string
  /** RFC 3339 */
  readonly requested_at: string
  /** `pending`: rows are being removed. `removed`: the database has none, older backups have some. `complete`: no key is left. */
  readonly state: 'pending' | 'removed' | 'complete'
  /** Runs and memory items that were removed so far. */
  readonly runs: number
  readonly items: number
  /** RFC 3339; null before. */
  readonly removed_at: string | null
  readonly complete_at: string | null
}

/** Removes data of one organisation for good. */
export interface TenantRemoval {
  /**
   * Removes a run and its sub-agents, with their session.
   * @returns how many runs were removed
   * @throws RUN_NOT_FOUND; RUN_LOCKED while a worker drives it
   */
  run(runId: string): Promise<number>
  /** Newest first. */
  erasures(page: Page): Promise<PageOf<Erasure>>
  /** @throws ERASURE_NOT_FOUND */
  erasure(id: string): Promise<Erasure>
  /** Begins to erase all data of a user; a worker does it. Returns the one that is pending, if there is one. */
  erase(user: string): Promise<Erasure>
}
