import { defined } from '../../document/defined.ts'
import { readCursor, writeCursor } from '../../run/record/page-cursor.ts'
import type { Page, PageOf } from '../../run/record/records.ts'
import type { RunState } from '../../run/state.ts'
import { sql } from '../database/sql.ts'
import { originalText, storedText } from '../database/stored-text.ts'
import type { Sql } from '../database/tenant.ts'
import type { Phase } from '../records/run-row.ts'
import { type PlatformStatus, platformStatus } from '../records/run-view.ts'
import type { SessionView } from './session.ts'

/** A session with the progress of its run, whose columns are null before the first message. */
export interface SessionRow {
  readonly session: string
  readonly agent_id: string
  readonly user_id: string | null
  readonly run_id: string | null
  /** Microseconds since the epoch. */
  readonly created: number
  readonly queued: number
  readonly status: RunState['status'] | null
  readonly phase: Phase | null
  readonly seq: number | null
  readonly live: boolean
}

const sessionsOf = (org: string) => sql`
  SELECT c.session, c.agent_id, c.user_id, c.run_id, (extract(epoch FROM c.created_at) * 1000000)::bigint AS created,
    p.status, p.phase, p.seq, waybill.is_live(p.holder) AS live,
    (SELECT count(*)::int FROM waybill.messages AS m WHERE m.org = c.org AND m.session = c.session AND m.state = 'queued') AS queued
  FROM waybill.conversations AS c LEFT JOIN waybill.progress AS p ON p.org = c.org AND p.run_id = c.run_id
  WHERE c.org = ${org}`

export async function sessionRow(on: Sql, org: string, session: string): Promise<SessionRow | undefined> {
  const { rows } = await on.query<SessionRow>(sql`${sessionsOf(org)} AND c.session = ${storedText(session)}`)
  return rows[0]
}

const PAGE = 100

/** Lists sessions, the newest first. @throws CURSOR_INVALID */
export async function sessionPage(
  on: Sql,
  org: string,
  { limit = PAGE, cursor }: Page,
): Promise<PageOf<SessionView>> {
  const place = cursor === undefined ? undefined : readCursor(cursor)
  const from =
    place === undefined
      ? sql`true`
      : sql`(c.created_at, c.session)
          < ('epoch'::timestamptz + ${place.created_at}::bigint * interval '1 microsecond', ${place.run_id})`
  const { rows } = await on.query<SessionRow>(sql`
    ${sessionsOf(org)} AND ${from} ORDER BY c.created_at DESC, c.session DESC LIMIT ${limit + 1}`)
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  const next =
    last !== undefined && rows.length > limit
      ? writeCursor({ created_at: last.created, run_id: last.session })
      : null
  return { items: items.map(sessionView), next }
}

export function sessionView(row: SessionRow): SessionView {
  return {
    session: originalText(row.session),
    agent_id: originalText(row.agent_id),
    ...defined({ user: row.user_id === null ? undefined : originalText(row.user_id) }),
    run_id: row.run_id === null ? null : originalText(row.run_id),
    status: statusOf(row),
    queued: row.queued,
    created_at: new Date(row.created / 1000).toISOString(),
  }
}

/** Null: the session has no run yet. */
function statusOf({ status, phase, seq, live }: SessionRow): PlatformStatus | null {
  if (status === null) return null
  return platformStatus({ status, live, seq: seq ?? 0, phase: phase ?? 'held', due_at: null })
}

/** Returns whether a turn is active, or a message waits for its turn. */
export function isBusy({ status, queued, phase }: SessionRow): boolean {
  const active = status === 'running' || status === 'waiting' || status === 'paused'
  return active || phase === 'set_aside' || queued > 0
}
