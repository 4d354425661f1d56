import { type ArrivalRequest, type ArrivalState, arrivalAfter } from '../../state/migration-protocol.ts'
import { storedText, textOrNull } from '../database/stored-text.ts'
import type { Sql } from '../database/tenant.ts'

/** What was decided about a token that another platform has issued. */
export interface Arrival {
  readonly state: Exclude<ArrivalState, null>
  readonly run_id: string | null
}

export async function isUsed(sql: Sql, org: string, jti: string): Promise<boolean> {
  return (await arrivalOf(sql, org, jti)) !== undefined
}

export async function arrivalOf(sql: Sql, org: string, jti: string): Promise<Arrival | undefined> {
  const { rows } = await sql.query<Arrival>(
    'SELECT state, run_id FROM waybill.arrivals WHERE org = $1 AND jti = $2',
    [org, storedText(jti)],
  )
  return rows[0]
}

/**
 * Decides about a token, unless that has been done: of an import and a withdrawal, the first one writes the row, and the
 * other one waits for its transaction.
 * @returns what counts, and whether this request has decided it
 */
export async function requestArrival(
  sql: Sql,
  org: string,
  jti: string,
  request: Exclude<ArrivalRequest, 'ask'>,
  about: {
    readonly peer: string
    readonly runId?: string
    readonly state_id?: string
    readonly source?: string
    /** Used up, and who has issued it. */
    readonly token?: string
    readonly issuer?: string
  },
): Promise<Arrival & { readonly isNew: boolean }> {
  const { peer, runId, state_id, source, token, issuer } = about
  const { rowCount } = await sql.query(
    `INSERT INTO waybill.arrivals (org, jti, peer, state, run_id, state_id, source_run_id, token, source) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT DO NOTHING`,
    [
      org,
      storedText(jti),
      storedText(peer),
      arrivalAfter(null, request),
      textOrNull(runId),
      state_id ?? null,
      textOrNull(source),
      token ?? null,
      issuer ?? null,
    ],
  )
  const arrival = await arrivalOf(sql, org, jti)
  if (arrival === undefined) throw new TypeError('a row that was inserted, or in the way, is there')
  return { ...arrival, isNew: rowCount === 1 }
}
