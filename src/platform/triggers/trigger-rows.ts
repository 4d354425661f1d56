import { createHash } from 'node:crypto'
import { WaybillError } from '../../document/issue.ts'
import type { Json } from '../../document/json.ts'
import { type Statement, sql, written } from '../database/sql.ts'
import { originalText, storedText, textOrNull } from '../database/stored-text.ts'
import type { Sql } from '../database/tenant.ts'
import {
  type FiringState,
  type FiringView,
  RUN_ENDED,
  type TriggerKind,
  type TriggerSettings,
  type TriggerView,
} from './trigger.ts'

export interface TriggerRow {
  readonly org: string
  readonly id: string
  readonly agent_id: string
  readonly kind: TriggerKind
  readonly settings: string
  readonly source: 'definition' | 'api'
  readonly enabled: boolean
  readonly why: string | null
  readonly acts_for: string
  readonly created_by: string
  /** As stored: who has made or changed it, or knows its secret. */
  readonly makers: readonly string[]
  readonly hook: string | null
  readonly next_at: Date | null
  readonly created_at: Date
}

interface LastRow {
  readonly last_slot: string | null
  readonly last_state: FiringState
  readonly last_run: string | null
  readonly last_at: Date
}

export interface FiringRow {
  readonly org: string
  readonly trigger: string
  readonly slot: string
  readonly n: number
  readonly state: FiringState
  readonly why: string | null
  readonly run_id: string | null
  readonly version: string | null
  readonly acts_for: string | null
  readonly attempts: number
  readonly depth: number
  readonly payload: string
  readonly at: Date
  /** As stored: whose request has fired it. */
  readonly causers: readonly string[]
}

/** Not the parts of the secret. */
const TRIGGER = `t.org, t.id, t.agent_id, t.kind, t.settings, t.source, t.enabled, t.why, t.acts_for, t.created_by,
  t.makers, t.hook, t.next_at, t.created_at`
export const FIRING = `org, trigger, slot, n, state, why, run_id, version, acts_for, attempts, depth, payload, at,
  causers`

const WITH_LAST = `SELECT ${TRIGGER}, f.slot AS last_slot, f.state AS last_state, f.run_id AS last_run, f.at AS last_at
  FROM waybill.triggers AS t LEFT JOIN LATERAL (
    SELECT slot, state, run_id, at FROM waybill.firings AS f WHERE f.org = t.org AND f.trigger = t.id
    ORDER BY f.n DESC LIMIT 1) AS f ON true`

export async function triggerViews(
  on: Sql,
  org: string,
  {
    after,
    agentId,
    limit,
  }: { readonly after: string; readonly agentId?: string | undefined; readonly limit: number },
): Promise<readonly TriggerView[]> {
  const ofAgent = agentId === undefined ? sql`` : sql`AND t.agent_id = ${storedText(agentId)}`
  const { rows } = await on.query<TriggerRow & LastRow>(
    sql`${written(WITH_LAST)} WHERE t.org = ${org} AND t.id > ${storedText(after)} ${ofAgent} ORDER BY t.id LIMIT ${limit}`,
  )
  return rows.map(triggerView)
}

/** @throws TRIGGER_NOT_FOUND */
export async function readTriggerView(sql: Sql, org: string, id: string): Promise<TriggerView> {
  const { rows } = await sql.query<TriggerRow & LastRow>(`${WITH_LAST} WHERE t.org = $1 AND t.id = $2`, [
    org,
    storedText(id),
  ])
  const [row] = rows
  if (row === undefined) throw triggerNotFound(id)
  return triggerView(row)
}

/** @param lock until the end of the transaction: what depends on the trigger happens one after another */
export async function findTrigger(
  sql: Sql,
  org: string,
  id: string,
  lock = false,
): Promise<TriggerRow | undefined> {
  const { rows } = await sql.query<TriggerRow>(
    `SELECT ${TRIGGER} FROM waybill.triggers AS t WHERE t.org = $1 AND t.id = $2 ${lock ? 'FOR NO KEY UPDATE' : ''}`,
    [org, storedText(id)],
  )
  return rows[0]
}

export function settingsIn({ settings }: Pick<TriggerRow, 'settings'>): TriggerSettings {
  return JSON.parse(settings) as TriggerSettings
}

function triggerView(row: TriggerRow & LastRow): TriggerView {
  const { id, kind, source, enabled, why, created_by, next_at, created_at, hook } = row
  return {
    id,
    agent_id: originalText(row.agent_id),
    kind,
    ...settingsIn(row),
    source,
    state: enabled ? 'enabled' : 'disabled',
    why,
    on_behalf_of: originalText(row.acts_for),
    next_at: enabled ? (next_at?.toISOString() ?? null) : null,
    ...(hook !== null && { path: `/v1/hooks/${hook}` }),
    last:
      row.last_slot === null
        ? null
        : {
            slot: originalText(row.last_slot),
            state: row.last_state,
            run_id: originalOrNull(row.last_run),
            at: row.last_at.toISOString(),
          },
    created_at: created_at.toISOString(),
    created_by: originalText(created_by),
  }
}

/** @param before the number of the last firing of the previous page; 0: the first page */
export async function firingRows(
  on: Sql,
  org: string,
  trigger: string,
  before: number,
  limit: number,
): Promise<readonly FiringRow[]> {
  const earlier = before === 0 ? sql`` : sql`AND n < ${before}`
  const { rows } = await on.query<FiringRow>(
    sql`SELECT ${written(FIRING)} FROM waybill.firings WHERE org = ${org} AND trigger = ${storedText(trigger)} ${earlier}
     ORDER BY n DESC LIMIT ${limit}`,
  )
  return rows
}

export async function findFiring(
  sql: Sql,
  org: string,
  trigger: string,
  slot: string,
): Promise<FiringRow | undefined> {
  const { rows } = await sql.query<FiringRow>(
    `SELECT ${FIRING} FROM waybill.firings WHERE org = $1 AND trigger = $2 AND slot = $3`,
    [org, storedText(trigger), storedText(slot)],
  )
  return rows[0]
}

export interface NewFiring {
  readonly slot: string
  readonly payload: Json
  /** How long no other process looks at it, in milliseconds; default 0. */
  readonly claimMs?: number
  readonly state?: FiringState
  readonly why?: string
  /** The members whose request has fired it. */
  readonly causers?: readonly string[]
  /** Whose message it is. */
  readonly user?: string
}

/** Stores a firing. @returns false if the trigger has fired for this slot already */
export async function insertFiring(
  on: Sql,
  org: string,
  trigger: string,
  { slot, payload, claimMs = 0, state = 'pending', why, causers = [], user }: NewFiring,
): Promise<boolean> {
  const dueAt = state === 'pending' ? sql`clock_timestamp() + ${claimMs} * interval '1 ms'` : sql`NULL`
  const { rowCount } = await on.query(
    sql`INSERT INTO waybill.firings (org, trigger, slot, state, why, payload, due_at, attempts, causers, user_id)
     VALUES (${org}, ${trigger}, ${storedText(slot)}, ${state}, ${why ?? null}, ${JSON.stringify(payload)}, ${dueAt},
       ${claimMs > 0 ? 1 : 0}, ${causers.map(storedText)}, ${textOrNull(user)}) ON CONFLICT DO NOTHING`,
  )
  return rowCount === 1
}

export function firingView({
  slot,
  state,
  why,
  run_id,
  version,
  acts_for,
  depth,
  at,
}: FiringRow): FiringView {
  return {
    slot: originalText(slot),
    state,
    why,
    run_id: originalOrNull(run_id),
    version: originalOrNull(version),
    on_behalf_of: originalOrNull(acts_for),
    depth,
    at: at.toISOString(),
  }
}

/** Returns the columns of a trigger that its settings lead to, in the order of {@link SETTING_COLUMNS}. */
export function settingValues(kind: TriggerKind, settings: TriggerSettings): Statement {
  const { of_agent, event = RUN_ENDED, statuses = null } = settings
  const ofEvent = kind === 'event' ? storedText(event) : null
  return sql`${JSON.stringify(settings)}, ${ofEvent}, ${textOrNull(of_agent)}, ${statuses}`
}

export const SETTING_COLUMNS = written('settings, event, of_agent, statuses')

/** Returns the id of the run of a firing: the same however often it is tried to start it. */
export function runIdOf({ org, trigger, slot }: Pick<FiringRow, 'org' | 'trigger' | 'slot'>): string {
  const hash = createHash('sha256')
    .update(JSON.stringify(['firing', org, trigger, slot]))
    .digest()
  // A UUID of version 8 (RFC 9562 §5.8).
  hash[6] = (Number(hash[6]) & 0x0f) | 0x80
  hash[8] = (Number(hash[8]) & 0x3f) | 0x80
  const hex = hash.toString('hex').slice(0, 32)
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

export function triggerNotFound(id: string): WaybillError {
  return new WaybillError('TRIGGER_NOT_FOUND', {
    fault: 'usage',
    message: `the organisation has no trigger ${JSON.stringify(id.slice(0, 100))}`,
    hint: 'list the triggers with GET /v1/triggers, or add one with POST',
  })
}

function originalOrNull(text: string | null): string | null {
  return text === null ? null : originalText(text)
}
