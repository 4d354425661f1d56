import { type Grant, isInForce } from '../../../run/record/grant.ts'
import type { GrantRecords } from '../../../run/record/records.ts'
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

  give(grant: Grant, audit: readonly AuditFact[]): void {
    this.#place.append(audit)
    this.#place.grants.set(grant.id, grant)
  }

  revoke(
    ids: ReadonlySet<string>,
    audit: (revoked: readonly Grant[]) => readonly AuditFact[],
  ): readonly Grant[] {
    const revoked = this.list().filter(({ id }) => ids.has(id))
    this.#place.append(audit(revoked))
    for (const { id } of revoked) this.#place.grants.delete(id)
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
