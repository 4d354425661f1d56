import type pg from 'pg'
import { WaybillError } from '../../document/issue.ts'
import type { EntryMaker } from '../../trust/audit-chain.ts'
import { readLogPosition } from '../database/read-log-position.ts'
import { inOrganisation, type Sql } from '../database/tenant.ts'
import { appendAudit } from './audit-chain-rows.ts'

/** Says where a platform is, and what tells that its database is older than it was. */
export interface CopySigns {
  /** The identity of the data folder; absent if Waybill does not run the server. */
  readonly place?: string | undefined
  /** Promoted replicas have everything: another timeline is not a copy. */
  readonly lossless?: boolean
  /** The positions of the log that writes have left at. */
  readonly stamps?: CopyStamps
  /** Signs an entry in the log of each organisation. */
  readonly nextEntry: EntryMaker
}

/** Stamps outside of the database, by the id of its installation. */
interface CopyStamps {
  highest(id: string): number
  begin(id: string, former: string | undefined): void
}

export interface NoticedGeneration {
  readonly generation: number
  /** How many runs were active. */
  readonly runs: number
}

interface Row {
  readonly id: string
  readonly timeline: string | null
  readonly now: string | null
  readonly generation: number
  readonly place: string | null
  readonly system: string | null
  readonly current: boolean
}

/**
 * Compares the database with what it says about its server and its folder. If it was put back from an older copy, or is
 * in a promoted replica, its generation rises, in one transaction with entries in the audit logs. The first start only
 * stores where it is.
 * @returns null if it is not a copy
 */
export async function noticeCopiedDatabase(
  engine: pg.Pool,
  { place, lossless, stamps, nextEntry }: CopySigns,
): Promise<NoticedGeneration | null> {
  return inOrganisation(engine, '', async (sql) => {
    if (lossless !== undefined)
      await sql.query('UPDATE waybill.installation SET lossless = $1 WHERE lossless <> $1', [lossless])
    // Locked: of several processes that notice it at once, one raises the generation.
    const { rows } = await sql.query<Row>(
      `SELECT id, generation, place, system, timeline, (waybill.server_place())[2] AS now, waybill.is_current() AS current
       FROM waybill.installation FOR UPDATE`,
    )
    const [row] = rows
    if (row === undefined) return null
    const isElsewhere = place !== undefined && row.place !== null && row.place !== place
    // Read before the position: other processes continue.
    const stamp = stamps?.highest(row.id) ?? 0
    // A promoted replica may lack what was not committed.
    const isBehind = row.timeline === row.now && stamp > (await readLogPosition(sql)).position
    if (row.current && !isElsewhere && !isBehind) {
      await sql.query(
        `UPDATE waybill.installation SET place = coalesce($1, place), system = (waybill.server_place())[1],
           timeline = (waybill.server_place())[2]
         WHERE system IS NULL OR place IS DISTINCT FROM coalesce($1, place)
           OR timeline IS DISTINCT FROM (waybill.server_place())[2]`,
        [place ?? null],
      )
      return null
    }
    const noticed = await raise(sql, place ?? null, nextEntry)
    const { id } = await readLogPosition(sql)
    // Another folder may be a copy beside the original, which keeps its stamps.
    stamps?.begin(id, isElsewhere ? undefined : row.id)
    return noticed
  })
}

async function raise(sql: Sql, place: string | null, nextEntry: EntryMaker): Promise<NoticedGeneration> {
  const { rows } = await sql.query<{ generation: number }>(
    'SELECT waybill.raise_generation($1, false) AS generation',
    [place],
  )
  const generation = rows[0]?.generation ?? 1
  const { rowCount } = await sql.query('SELECT FROM waybill.copied_runs WHERE generation = $1', [generation])
  const noticed = { generation, runs: rowCount ?? 0 }
  const orgs = await sql.query<{ org: string }>('SELECT org FROM waybill.organisations ORDER BY org')
  for (const { org } of orgs.rows) {
    const fact = { at: new Date().toISOString(), kind: 'platform.copied', by: 'the platform', generation }
    try {
      await appendAudit(sql, org, nextEntry, [fact])
    } catch (error) {
      // A log that cannot be continued must not hide the copy.
      if (!(error instanceof WaybillError)) throw error
    }
  }
  return noticed
}
