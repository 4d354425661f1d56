import { WaybillError } from '../../document/issue.ts'
import type { CallOfRule } from '../../policy/approval/standing-rules.ts'
import { type Grant, isInForce } from '../../run/record/grant.ts'
import { PAGE_LIMIT, pageOfRows, readNumberCursor } from '../../run/record/page-cursor.ts'
import type { GrantRecords, Page, PageOf } from '../../run/record/records.ts'
import type { AuditFact } from '../../trust/audit-chain.ts'
import { storedText, textOrNull } from '../database/stored-text.ts'
import type { Sql } from '../database/tenant.ts'
import { heldByPolicy } from '../policies/held-by-policy.ts'
import { appendAudit } from './audit-chain-rows.ts'
import type { StoreParts } from './store-parts.ts'

interface GrantRow {
  readonly id: string
  readonly body: string
}

export class PostgresGrants implements GrantRecords {
  readonly #parts: StoreParts

  constructor(parts: StoreParts) {
    this.#parts = parts
  }

  list(): Promise<readonly Grant[]> {
    const { store } = this.#parts
    return store.read(async (sql) => {
      const { rows } = await sql.query<GrantRow>(
        'SELECT id, body FROM waybill.grants WHERE org = $1 ORDER BY n',
        [store.org],
      )
      return rows.map(grantOf)
    })
  }

  page({ limit = PAGE_LIMIT, cursor }: Page): Promise<PageOf<Grant>> {
    const { store } = this.#parts
    const after = readNumberCursor(cursor)
    return store.read(async (sql) => {
      const { rows } = await sql.query<GrantRow & { readonly n: number }>(
        'SELECT n, id, body FROM waybill.grants WHERE org = $1 AND n > $2 ORDER BY n LIMIT $3',
        [store.org, after, limit + 1],
      )
      return pageOfRows(rows, limit, grantOf, ({ n }) => [String(n)])
    })
  }

  async give(grant: Grant, audit: readonly AuditFact[]): Promise<void> {
    const { store, nextEntry } = this.#parts
    await store.write(async (sql) => {
      await sql.query(
        `INSERT INTO waybill.grants (org, id, body, user_id) VALUES ($1, $2, $3, $4)
         ON CONFLICT (org, id) DO UPDATE SET body = excluded.body, user_id = excluded.user_id`,
        [store.org, storedText(grant.id), JSON.stringify(grant), textOrNull(grant.user)],
      )
      await appendAudit(sql, store.org, nextEntry, audit)
    })
  }

  revoke(
    ids: ReadonlySet<string>,
    audit: (revoked: readonly Grant[]) => readonly AuditFact[],
  ): Promise<readonly Grant[]> {
    const { store, nextEntry } = this.#parts
    return store.write(async (sql) => {
      const { rows } = await sql.query<GrantRow>(
        `WITH gone AS (DELETE FROM waybill.grants WHERE org = $1 AND id = ANY($2) RETURNING n, id, body)
         SELECT id, body FROM gone ORDER BY n`,
        [store.org, [...ids].map(storedText)],
      )
      const revoked = rows.map(grantOf)
      await appendAudit(sql, store.org, nextEntry, audit(revoked))
      return revoked
    })
  }

  async spend(id: string, at: number, call?: CallOfRule): Promise<boolean> {
    const { store } = this.#parts
    const where = 'FROM waybill.grants WHERE org = $1 AND id = $2'
    const values = [store.org, storedText(id)]
    const grant = await store.read(async (sql) => {
      const { rows } = await sql.query<GrantRow>(`SELECT id, body ${where}`, values)
      const found = rows[0] === undefined ? undefined : grantOf(rows[0])
      if (found === undefined || !(await mayStillDecide(sql, store.org, found))) return undefined
      const held = call && (await heldByPolicy(sql, store.org, found, call))
      return held === undefined ? found : undefined
    })
    if (grant === undefined || !isInForce(grant, at)) return false
    if (grant.uses_left === undefined) return true
    return store.write(async (sql) => {
      const { rows } = await sql.query<GrantRow>(`SELECT id, body ${where} FOR UPDATE`, values)
      const now = rows[0] === undefined ? undefined : grantOf(rows[0])
      if (now === undefined || !isInForce(now, at)) return false
      if (now.uses_left !== undefined)
        await sql.query('UPDATE waybill.grants SET body = $3 WHERE org = $1 AND id = $2', [
          ...values,
          JSON.stringify({ ...now, uses_left: now.uses_left - 1 }),
        ])
      return true
    })
  }
}

/** A rule decides in place of its maker, so it ends with the roles of a member who has made it. */
async function mayStillDecide(sql: Sql, org: string, { kind, by }: Grant): Promise<boolean> {
  if (kind !== 'call') return true
  const { rows } = await sql.query<{ readonly may: boolean }>(
    `SELECT m.removed_at IS NULL AND m.kind = 'person' AND waybill.held_roles(m) && '{approver,admin}' AS may
     FROM waybill.members AS m WHERE m.org = $1 AND m.user_id = $2`,
    [org, storedText(by)],
  )
  return rows[0]?.may ?? true
}

/** @throws RECORD_DAMAGED */
function grantOf({ id, body }: GrantRow): Grant {
  let cause: unknown
  try {
    const grant = JSON.parse(body) as Grant | null
    if (typeof grant === 'object' && grant?.id !== undefined && storedText(grant.id) === id) return grant
  } catch (error) {
    cause = error
  }
  throw new WaybillError('RECORD_DAMAGED', {
    fault: 'failed',
    message: `the grant ${id} was changed by something other than Waybill`,
    hint: 'restore the database from a backup; runs continue afterwards',
    ...(cause !== undefined && { cause }),
  })
}
