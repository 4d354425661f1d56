import { answer, id, integer, moment, nullable, oneOf, request, type Typed, text } from '../../http/schema.ts'
import type { Page, PageOf } from '../../run/record/records.ts'

export const newErasure = request({ user: id('The user whose data is erased.') }, ['user'])

export const erasureView = answer('An erasure of the data of a user.', {
  id: text('The id.'),
  user: nullable(text('The user; null when the rows are removed.')),
  // In hexadecimal.
  subject: text('SHA-256 of the organisation and the user; the audit log names it too.'),
  requested_by: text('Who has requested it.'),
  requested_at: moment('When.'),
  state: oneOf(
    ['pending', 'removed', 'complete'],
    '`pending`: rows are being removed. `removed`: the database has none left. `complete`: the key of the user is destroyed, so that older backups cannot bring them back; the next backup does this.',
  ),
  runs: integer('Removed runs, with those of sub-agents.', 0),
  items: integer('Removed memory items.', 0),
  removed_at: nullable(moment('When the last row was removed.')),
  complete_at: nullable(moment('When the key was destroyed.')),
})
export type Erasure = Typed<typeof erasureView>

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

/** Removes data of the own organisation, or of another one for admins of the first. @throws ORGANISATION_NOT_FOUND */
export type RemovalIn = (organisation?: string) => Promise<TenantRemoval>
