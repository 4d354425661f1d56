import { type Grant, isInForce } from '../../../run/record/grant.ts'
import { PAGE_LIMIT, pageOfRows, readNumberCursor } from '../../../run/record/page-cursor.ts'
import type { GrantRecords, Page, PageOf } from '../../../run/record/records.ts'
import type { AuditFact } from '../../../trust/audit-chain.ts'
import type { MemoryPlace } from './memory-place.ts'

export class MemoryGrants implements GrantRecords {
  readonly #place: MemoryPlace

  constructor(place: MemoryPlace) {
    this.#place = place
  }

  list(): readonly Grant[] {
    return [...this.#place.grants.values()]
  }

  page({ limit = PAGE_LIMIT, cursor }: Page): PageOf<Grant> {
    const after = readNumberCursor(cursor)
    const numberOf = ({ id }: Grant) => this.#place.grantNumbers.get(id) ?? 0
    const rows = this.list().filter((grant) => numberOf(grant) > after)
    return pageOfRows(
      rows,
      limit,
      (grant) => grant,
      (grant) => [String(numberOf(grant))],
    )
  }

  give(grant: Grant, audit: readonly AuditFact[]): void {
    this.#place.append(audit)
    if (!this.#place.grants.has(grant.id)) this.#place.grantNumbers.set(grant.id, ++this.#place.lastGrant)
    this.#place.grants.set(grant.id, grant)
  }

  revoke(
    ids: ReadonlySet<string>,
    audit: (revoked: readonly Grant[]) => readonly AuditFact[],
  ): readonly Grant[] {
    const revoked = this.list().filter(({ id }) => ids.has(id))
    this.#place.append(audit(revoked))
    for (const { id } of revoked) {
      this.#place.grants.delete(id)
      this.#place.grantNumbers.delete(id)
    }
    return revoked
  }

  spend(id: string, at: number): boolean {
    const grant = this.#place.grants.get(id)
    if (grant === undefined || !isInForce(grant, at)) return false
    if (grant.uses_left !== undefined)
      this.#place.grants.set(id, { ...grant, uses_left: grant.uses_left - 1 })
    return true
  }
}
