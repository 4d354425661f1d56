import { auditDamaged } from '../../run/record/record-errors.ts'
import type { AuditRecords } from '../../run/record/records.ts'
import { type AuditEntry, type AuditFact, parseEntry } from '../../trust/audit-chain.ts'
import { appendAudit } from './audit-chain-rows.ts'
import type { StoreParts } from './store-parts.ts'

export class PostgresAudit implements AuditRecords {
  readonly #parts: StoreParts

  constructor(parts: StoreParts) {
    this.#parts = parts
  }

  async append(facts: readonly AuditFact[]): Promise<void> {
    if (facts.length === 0) return
    const { store, nextEntry } = this.#parts
    await store.write((sql) => appendAudit(sql, store.org, nextEntry, facts))
  }

  lines(after = 0, limit?: number): Promise<readonly string[]> {
    const { store } = this.#parts
    return store.read(async (sql) => {
      const { rows } = await sql.query<{ line: string }>(
        'SELECT line FROM waybill.audit WHERE org = $1 AND n > $2 ORDER BY n LIMIT $3',
        [store.org, after, limit ?? null],
      )
      return rows.map(({ line }) => line)
    })
  }

  async head(): Promise<AuditEntry | null> {
    const { store } = this.#parts
    const { line, some } = await store.read(async (sql) => {
      const { rows } = await sql.query<{ line: string | null; some: boolean }>(
        `SELECT (SELECT line FROM waybill.audit_heads WHERE org = $1 AND n > 0) AS line,
           EXISTS (SELECT 1 FROM waybill.audit WHERE org = $1) AS some`,
        [store.org],
      )
      return rows[0] ?? { line: null, some: false }
    })
    if (line === null && !some) return null
    const entry = line === null ? null : parseEntry(line)
    if (entry === null) throw auditDamaged('its head is missing or was changed')
    return entry
  }
}
