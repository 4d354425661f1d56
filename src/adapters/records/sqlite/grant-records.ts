import { crc32 } from 'node:zlib'
import { WaybillError } from '../../../document/issue.ts'
import { type Grant, isInForce } from '../../../run/record/grant.ts'
import { PAGE_LIMIT, pageOfRows, readNumberCursor } from '../../../run/record/page-cursor.ts'
import type { GrantRecords, Page, PageOf } from '../../../run/record/records.ts'
import type { AuditFact } from '../../../trust/audit-chain.ts'
import type { Queries } from './queries.ts'
import type { StoreParts } from './store-parts.ts'

interface GrantRow {
  readonly id: string
  readonly body: string
  readonly checksum: number
}

export class SqliteGrants implements GrantRecords {
  readonly #parts: StoreParts

  constructor(parts: StoreParts) {
    this.#parts = parts
  }

  list(): Promise<readonly Grant[]> {
    const { home } = this.#parts
    return home.read(
      (q) => allGrants(q, home.file),
      () => [],
    )
  }

  page({ limit = PAGE_LIMIT, cursor }: Page): PageOf<Grant> | Promise<PageOf<Grant>> {
    const { home } = this.#parts
    const after = readNumberCursor(cursor)
    const sql = 'SELECT n, id, body, checksum FROM grants WHERE n > ? ORDER BY n LIMIT ?'
    return home.read(
      (q) =>
        pageOfRows(
          q.all<GrantRow & { readonly n: number }>(sql, after, limit + 1),
          limit,
          (row) => grantOf(row, home.file),
          ({ n }) => [String(n)],
        ),
      () => ({ items: [], next: null }),
    )
  }

  async give(grant: Grant, audit: readonly AuditFact[]): Promise<void> {
    await this.#parts.group.write(
      (group) => {
        putGrant(group.q, grant)
        this.#parts.chain.append(group, audit)
      },
      { durable: true },
    )
  }

  revoke(
    ids: ReadonlySet<string>,
    audit: (revoked: readonly Grant[]) => readonly AuditFact[],
  ): Promise<readonly Grant[]> {
    const { group, chain, home } = this.#parts
    return group.write(
      (one) => {
        const revoked = allGrants(one.q, home.file).filter(({ id }) => ids.has(id))
        for (const { id } of revoked) one.q.run('DELETE FROM grants WHERE id = ?', id)
        chain.append(one, audit(revoked))
        return revoked
      },
      { durable: true },
    )
  }

  async spend(id: string, at: number): Promise<boolean> {
    const { group, home } = this.#parts
    const grant = await home.read(
      (q) => grantWith(q, id, home.file),
      () => undefined,
    )
    if (grant === undefined || !isInForce(grant, at)) return false
    if (grant.uses_left === undefined) return true
    return group.write(
      ({ q }) => {
        const now = grantWith(q, id, home.file)
        if (now === undefined || !isInForce(now, at)) return false
        if (now.uses_left !== undefined) putGrant(q, { ...now, uses_left: now.uses_left - 1 })
        return true
      },
      { durable: true },
    )
  }
}

function putGrant(q: Queries, grant: Grant): void {
  const body = JSON.stringify(grant)
  q.run(
    `INSERT INTO grants (id, body, checksum) VALUES (?, ?, ?)
       ON CONFLICT (id) DO UPDATE SET body = excluded.body, checksum = excluded.checksum`,
    grant.id,
    body,
    crc32(`${grant.id} ${body}`),
  )
}

function allGrants(q: Queries, file: string): readonly Grant[] {
  return q.all<GrantRow>('SELECT id, body, checksum FROM grants ORDER BY n').map((row) => grantOf(row, file))
}

function grantWith(q: Queries, id: string, file: string): Grant | undefined {
  const row = q.get<GrantRow>('SELECT id, body, checksum FROM grants WHERE id = ?', id)
  return row === undefined ? undefined : grantOf(row, file)
}

/** Throws for a grant that was changed. */
function grantOf({ id, body, checksum }: GrantRow, file: string): Grant {
  if (crc32(`${id} ${body}`) === checksum) return JSON.parse(body)
  throw new WaybillError('RECORD_DAMAGED', {
    fault: 'failed',
    file,
    message: `the grant ${id} was changed by something other than Waybill`,
    hint: 'restore the database from a backup; runs can be continued with `waybill resume` afterwards',
  })
}
