import { auditDamaged } from '../../../run/record/record-errors.ts'
import type { AuditRecords } from '../../../run/record/records.ts'
import { type AuditEntry, type AuditFact, parseEntry } from '../../../trust/audit-chain.ts'
import type { StoreParts } from './store-parts.ts'

export class SqliteAudit implements AuditRecords {
  readonly #parts: StoreParts

  constructor(parts: StoreParts) {
    this.#parts = parts
  }

  async append(facts: readonly AuditFact[]): Promise<void> {
    if (facts.length === 0) return
    await this.#parts.group.write((group) => this.#parts.chain.append(group, facts), { durable: true })
  }

  lines(after = 0, limit = -1): Promise<readonly string[]> {
    const sql = 'SELECT line FROM audit WHERE n > ? ORDER BY n LIMIT ?'
    return this.#parts.home.read(
      (q) => q.all<{ line: string }>(sql, after, limit).map(({ line }) => line),
      () => [],
    )
  }

  async head(): Promise<AuditEntry | null> {
    const { home } = this.#parts
    const found = await home.read(
      (q) => ({
        line: q.get<{ line: string }>('SELECT line FROM audit_head')?.line,
        some: q.get('SELECT 1 FROM audit LIMIT 1') !== undefined,
      }),
      () => undefined,
    )
    if (found === undefined || (found.line === undefined && !found.some)) return null
    const entry = found.line === undefined ? null : parseEntry(found.line)
    if (entry === null) throw auditDamaged('its head is missing or was changed', home.file)
    return entry
  }
}
