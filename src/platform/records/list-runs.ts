import { PAGE_LIMIT, readCursor, writeCursor } from '../../run/record/page-cursor.ts'
import type { Page, RunFilter, RunPage } from '../../run/record/records.ts'
import { originalText, storedText } from '../database/stored-text.ts'
import type { Sql } from '../database/tenant.ts'
import {
  listedRow,
  type Phase,
  type PlatformRecord,
  RUN_COLUMNS,
  RUN_TABLES,
  type RunRow,
} from './run-row.ts'

/** Filters of the platform beyond those of the port. */
export interface PlatformFilter extends RunFilter {
  readonly phase?: Phase
  readonly session?: string
}

export interface PlatformPage extends RunPage {
  readonly items: readonly PlatformRecord[]
}

/** A statement and the values of its parameters. */
export interface Query {
  readonly text: string
  readonly values: unknown[]
}

/** Returns the statement of a list. It returns one row more than the page has, if another page follows. */
export function listQuery(org: string, filter: PlatformFilter, { limit = PAGE_LIMIT, cursor }: Page): Query {
  const values: unknown[] = [org]
  const $ = (value: unknown) => `$${values.push(value)}`
  const { status, phase, agent_id, user, session, batch, since, questions, roots, root } = filter
  const conditions = ['r.org = $1']
  // A run without progress is listed as damaged, unless a condition needs the progress.
  if (status !== undefined) conditions.push(`p.org = $1 AND p.status = ${$(status)}`)
  if (phase !== undefined) conditions.push(`p.org = $1 AND p.phase = ${$(phase)}`)
  if (questions !== undefined) conditions.push('p.org = $1 AND p.questions > 0')
  if (agent_id !== undefined) conditions.push(`r.agent_id = ${$(storedText(agent_id))}`)
  if (user !== undefined) conditions.push(`r.user_id = ${$(storedText(user))}`)
  if (session !== undefined) conditions.push(`r.session = ${$(storedText(session))}`)
  if (batch !== undefined) conditions.push(`r.batch = ${$(storedText(batch))}`)
  if (since !== undefined) conditions.push(`r.created_at >= ${$(since)}`)
  // A scalar subquery: PostgreSQL would turn NOT EXISTS beside OR into a scan of all runs.
  if (roots !== undefined)
    conditions.push(
      `(r.root IS NULL OR (SELECT o.run_id FROM waybill.runs AS o WHERE o.org = r.org AND o.run_id = r.root) IS NULL)`,
    )
  if (root !== undefined) {
    const id = $(storedText(root))
    conditions.push(`(r.run_id = ${id} OR r.root = ${id})`)
  }
  if (cursor !== undefined) {
    const place = readCursor(cursor)
    conditions.push(`(r.created_at, r.run_id) < (${$(place.created_at)}, ${$(storedText(place.run_id))})`)
  }
  const text = `SELECT ${RUN_COLUMNS} FROM ${RUN_TABLES} WHERE ${conditions.join(' AND ')}
    ORDER BY r.created_at DESC, r.run_id DESC LIMIT ${$(limit + 1)}`
  return { text, values }
}

/** Lists runs from their rows, without reading events. */
export async function listRuns(
  sql: Sql,
  org: string,
  filter: PlatformFilter,
  page: Page,
): Promise<PlatformPage> {
  const { limit = PAGE_LIMIT } = page
  const { rows } = await sql.query<RunRow>(listQuery(org, filter, page))
  const items = rows.slice(0, limit).map(listedRow)
  const last = items.at(-1)
  return { items, next: last !== undefined && rows.length > limit ? writeCursor(last) : null }
}

/** Returns the statement that finds ids by their beginning or end; both are ranges of an index. */
export function findQuery(org: string, part: string, limit: number): Query {
  const text = storedText(part)
  const turned = [...text].reverse().join('')
  const select = 'SELECT run_id, created_at FROM waybill.runs WHERE org = $1'
  const order = 'ORDER BY created_at DESC, run_id DESC LIMIT $2'
  return {
    text: `(${select} AND run_id >= $3 AND run_id < $4 ${order})
      UNION (${select} AND turned >= $5 AND turned < $6 ${order}) ${order}`,
    // No id contains the last character of Unicode.
    values: [org, limit, text, `${text}\u{10FFFF}`, turned, `${turned}\u{10FFFF}`],
  }
}

export async function findRuns(
  sql: Sql,
  org: string,
  part: string,
  limit: number,
): Promise<readonly string[]> {
  const { rows } = await sql.query<{ run_id: string }>(findQuery(org, part, limit))
  return rows.map(({ run_id }) => originalText(run_id))
}
