import { auditDamaged } from '../../run/record/record-errors.ts'
import {
  type AuditFact,
  BEFORE_FIRST,
  type ChainEnd,
  type EntryMaker,
  parseEntry,
} from '../../trust/audit-chain.ts'
import type { Sql } from '../database/tenant.ts'

interface Row {
  readonly n: number
  readonly line: string
}

/**
 * Appends entries to the audit log of an organisation, in the transaction of the audited change. The head is locked, so
 * that of two workers one continues after the other. A transaction that appends to several logs must do so in the order
 * of their organisations.
 * @throws AUDIT_DAMAGED if the end of the log does not match its head; audited actions are then refused
 */
export async function appendAudit(
  sql: Sql,
  org: string,
  nextEntry: EntryMaker,
  facts: readonly AuditFact[],
): Promise<void> {
  if (facts.length === 0) return
  let last = await lockEnd(sql, org)
  const rows: Row[] = []
  for (const fact of facts) {
    const entry = nextEntry(fact, last)
    rows.push({ n: entry.n, line: JSON.stringify(entry) })
    last = entry
  }
  await sql.query(
    `WITH entries AS (
       INSERT INTO waybill.audit (org, n, line) SELECT $1, n, line FROM unnest($2::bigint[], $3::text[]) AS e(n, line)
     )
     UPDATE waybill.audit_heads SET n = $4, line = $5 WHERE org = $1`,
    [org, rows.map(({ n }) => n), rows.map(({ line }) => line), last.n, rows.at(-1)?.line],
  )
}

async function lockEnd(sql: Sql, org: string): Promise<ChainEnd> {
  let head = await lockHead(sql, org)
  if (head === undefined) {
    await sql.query(
      `INSERT INTO waybill.audit_heads (org, n, line) VALUES ($1, 0, '') ON CONFLICT DO NOTHING`,
      [org],
    )
    head = await lockHead(sql, org)
  }
  // After the lock: the snapshot of a statement that waits for the lock would be older.
  const { rows } = await sql.query<Row>(
    'SELECT n, line FROM waybill.audit WHERE org = $1 ORDER BY n DESC LIMIT 1',
    [org],
  )
  const [last] = rows
  if (head === undefined) throw auditDamaged('its head is missing')
  if (last === undefined) {
    if (head.n === 0) return BEFORE_FIRST
    throw auditDamaged('its entries are missing')
  }
  if (head.n === 0) throw auditDamaged('its head is missing')
  const entry = parseEntry(last.line)
  if (entry === null || entry.n !== last.n) throw auditDamaged('its last line is not a valid entry')
  if (last.line !== head.line)
    throw auditDamaged(`it ends at entry ${entry.n}, but its head is entry ${head.n}`)
  return entry
}

async function lockHead(sql: Sql, org: string): Promise<Row | undefined> {
  const { rows } = await sql.query<Row>('SELECT n, line FROM waybill.audit_heads WHERE org = $1 FOR UPDATE', [
    org,
  ])
  return rows[0]
}
