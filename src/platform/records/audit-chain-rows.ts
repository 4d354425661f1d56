import { auditDamaged } from '../../run/record/record-errors.ts'
import {
  type AuditFact,
  BEFORE_FIRST,
  type ChainEnd,
  type EntryMaker,
  parseEntry,
} from '../../trust/audit-chain.ts'
import type { Sql } from '../database/tenant.ts'
import { withDigests } from './audited-digests.ts'

interface Row {
  readonly n: number
  readonly line: string
}

/** What is appended to the audit log of one organisation. */
export interface AuditAppend {
  readonly nextEntry: EntryMaker
  readonly facts: readonly AuditFact[]
}

/** The audit log of an organisation cannot be continued; `cause` says why. */
export class AuditRefused extends Error {
  readonly org: string

  constructor(org: string, cause: unknown) {
    super('an audit log cannot be continued', { cause })
    this.org = org
  }
}

/**
 * Appends entries to the audit log of an organisation, in the transaction of the audited change.
 * @throws AUDIT_DAMAGED if the end of the log does not match its head; audited actions are then refused
 */
export async function appendAudit(
  sql: Sql,
  org: string,
  nextEntry: EntryMaker,
  facts: readonly AuditFact[],
): Promise<void> {
  if (facts.length === 0) return
  try {
    await appendAudits(sql, new Map([[org, { nextEntry, facts }]]))
  } catch (error) {
    throw error instanceof AuditRefused ? error.cause : error
  }
}

/**
 * Appends to the logs of several organisations, in a constant number of statements. The heads are locked in one order,
 * so that of two workers one continues after the other, and none waits for the other in a circle.
 * @throws AuditRefused
 */
export async function appendAudits(sql: Sql, logs: ReadonlyMap<string, AuditAppend>): Promise<void> {
  const ends = await lockEnds(sql, [...logs.keys()])
  const entries: (Row & { readonly org: string })[] = []
  const heads: (Row & { readonly org: string })[] = []
  for (const [org, { nextEntry, facts }] of logs) {
    try {
      let last = chainEnd(ends.get(org))
      for (const fact of facts) {
        const entry = nextEntry(withDigests(fact), last)
        entries.push({ org, n: entry.n, line: JSON.stringify(entry) })
        last = entry
      }
    } catch (error) {
      throw new AuditRefused(org, error)
    }
    const head = entries.at(-1)
    if (head?.org === org) heads.push(head)
  }
  await sql.query(
    `WITH entries AS (
       INSERT INTO waybill.audit (org, n, line)
       SELECT org, n, line FROM unnest($1::text[], $2::bigint[], $3::text[]) AS e(org, n, line)
     )
     UPDATE waybill.audit_heads AS h SET n = e.n, line = e.line
     FROM unnest($4::text[], $5::bigint[], $6::text[]) AS e(org, n, line) WHERE h.org = e.org`,
    [...columnsOf(entries), ...columnsOf(heads)],
  )
}

function columnsOf(rows: readonly (Row & { readonly org: string })[]): readonly unknown[][] {
  return [rows.map(({ org }) => org), rows.map(({ n }) => n), rows.map(({ line }) => line)]
}

/** The head of a log, and its last entry: both are missing before the first entry. */
interface End {
  readonly head: Row | undefined
  readonly last: Row | undefined
}

async function lockEnds(sql: Sql, orgs: readonly string[]): Promise<ReadonlyMap<string, End>> {
  let heads = await lockHeads(sql, orgs)
  const first = orgs.filter((org) => !heads.has(org))
  if (first.length > 0) {
    await sql.query(
      `INSERT INTO waybill.audit_heads (org, n, line) SELECT org, 0, '' FROM unnest($1::text[]) AS o(org) ORDER BY org
       ON CONFLICT DO NOTHING`,
      [first],
    )
    heads = await lockHeads(sql, orgs)
  }
  // After the locks: the snapshot of a statement that waits for a lock would be older.
  const { rows } = await sql.query<Row & { org: string }>(
    `SELECT o.org, a.n, a.line FROM unnest($1::text[]) AS o(org) CROSS JOIN LATERAL (
       SELECT n, line FROM waybill.audit WHERE org = o.org ORDER BY n DESC LIMIT 1) AS a`,
    [orgs],
  )
  const lasts = new Map(rows.map((row) => [row.org, row]))
  return new Map(orgs.map((org) => [org, { head: heads.get(org), last: lasts.get(org) }]))
}

async function lockHeads(sql: Sql, orgs: readonly string[]): Promise<ReadonlyMap<string, Row>> {
  const { rows } = await sql.query<Row & { org: string }>(
    'SELECT org, n, line FROM waybill.audit_heads WHERE org = ANY($1) ORDER BY org FOR UPDATE',
    [orgs],
  )
  return new Map(rows.map((row) => [row.org, row]))
}

/** @throws AUDIT_DAMAGED */
function chainEnd({ head, last }: End = { head: undefined, last: undefined }): ChainEnd {
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
