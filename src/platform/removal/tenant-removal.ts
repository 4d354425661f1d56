import { v7 as uuidv7 } from 'uuid'
import { WaybillError } from '../../document/issue.ts'
import { PAGE_LIMIT, pageOfRows, readKeyCursor } from '../../run/record/page-cursor.ts'
import { subjectOf } from '../backup/subject-keys.ts'
import { sql } from '../database/sql.ts'
import { originalText, storedText } from '../database/stored-text.ts'
import { inOrganisation, type Sql } from '../database/tenant.ts'
import type { OrganisationParts } from '../people/organisation-parts.ts'
import type { RemovalParts } from './perform-erasure.ts'
import type { Erasure, TenantRemoval } from './removal.ts'
import { removeRootRun } from './remove-root-run.ts'

interface Row {
  readonly id: string
  readonly user_id: string | null
  readonly subject: string
  readonly by: string
  readonly requested_at: Date
  readonly runs: number
  readonly items: number
  readonly removed_at: Date | null
  readonly keys_destroyed_at: Date | null
}

export interface TenantRemovalParts
  extends OrganisationParts,
    Pick<RemovalParts, 'nextEntry' | 'removeKey'> {}

/** What requests may remove. A worker does the erasures: see `performErasure`. */
export function removalOf(parts: TenantRemovalParts): TenantRemoval {
  const { app, org, principal, audited, nextEntry, removeKey } = parts
  const select = sql`SELECT * FROM waybill.erasures WHERE org = ${org}`
  const act = <T>(work: (on: Sql) => Promise<T>) => inOrganisation(app, org, work)
  return {
    async run(runId) {
      const removal = { org, nextEntry, by: principal.user, why: 'request' as const }
      const ids = await act((on) => removeRootRun(on, runId, removal))
      for (const id of ids) removeKey(id)
      return ids.length
    },

    erasures: ({ limit = PAGE_LIMIT, cursor }) =>
      act(async (on) => {
        const [before = null] = cursor === undefined ? [] : readKeyCursor(cursor, 1)
        const { rows } = await on.query<Row>(
          sql`${select} AND (${before}::text IS NULL OR id < ${before}) ORDER BY id DESC LIMIT ${limit + 1}`,
        )
        return pageOfRows(rows, limit, viewOf, ({ id }) => [id])
      }),

    erasure: (id) =>
      act(async (on) => {
        const { rows } = await on.query<Row>(sql`${select} AND id = ${storedText(id)}`)
        const [row] = rows
        if (row === undefined) throw notFound(id)
        return viewOf(row)
      }),

    erase: (user) =>
      act(async (on) => {
        const subject = subjectOf(org, storedText(user))
        const { rowCount } = await on.query(
          sql`INSERT INTO waybill.erasures (org, id, user_id, subject, by)
              VALUES (${org}, ${uuidv7()}, ${storedText(user)}, ${subject}, ${principal.user})
              ON CONFLICT (org, user_id) WHERE removed_at IS NULL DO NOTHING`,
        )
        if (rowCount === 1) {
          await audited(on, 'erasure.requested', { subject })
          // A message would begin a turn of its session.
          await on.query(
            `DELETE FROM waybill.messages AS m USING waybill.conversations AS c
             WHERE m.org = $1 AND c.org = $1 AND c.session = m.session AND c.user_id = $2 AND m.state = 'queued'`,
            [org, storedText(user)],
          )
        }
        const { rows } = await on.query<Row>(sql`${select} AND user_id = ${storedText(user)}`)
        const [row] = rows
        if (row === undefined) throw new TypeError('an erasure that was stored is pending')
        return viewOf(row)
      }),
  }
}

function viewOf(row: Row): Erasure {
  const { id, user_id, subject, by, requested_at, runs, items, removed_at, keys_destroyed_at } = row
  return {
    id,
    user: user_id === null ? null : originalText(user_id),
    subject,
    requested_by: by,
    requested_at: requested_at.toISOString(),
    state: removed_at === null ? 'pending' : keys_destroyed_at === null ? 'removed' : 'complete',
    runs,
    items,
    removed_at: removed_at?.toISOString() ?? null,
    complete_at: keys_destroyed_at?.toISOString() ?? null,
  }
}

function notFound(id: string): WaybillError {
  return new WaybillError('ERASURE_NOT_FOUND', {
    fault: 'usage',
    message: `there is no erasure ${JSON.stringify(id.slice(0, 200))}`,
    hint: 'list the erasures with GET /v1/erasures',
  })
}
