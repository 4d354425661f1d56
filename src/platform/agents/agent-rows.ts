import { WaybillError } from '../../document/issue.ts'
import type { JsonObject } from '../../document/json.ts'
import { sql } from '../database/sql.ts'
import { storedText } from '../database/stored-text.ts'
import type { Sql } from '../database/tenant.ts'
import type { AgentStatus, AgentView } from './agent.ts'
import type { UploadReport } from './read-upload.ts'
import { type StoredVersion, uploaderOf, VERSION_COLUMNS } from './stored-version.ts'

/** A row of `agents`. */
export interface AgentRow {
  readonly agent_id: string
  readonly active: string | null
  /** Versions by label. */
  readonly labels: Readonly<Record<string, string>>
}

/** A version with the data of its agent. */
export interface VersionRow extends Omit<StoredVersion, 'body' | 'definition'> {
  readonly n: number
  readonly labels: Readonly<Record<string, string>>
  readonly report: string
  readonly created_at: Date
}

/** Columns of a {@link VersionRow}, of the tables `v` and `a`. */
export const VIEW_COLUMNS =
  'v.n, v.agent_id, v.version, v.status, v.digest, v.media_type, v.uploaded_by, v.report, v.created_at, a.labels'

export const JOINED =
  'waybill.agents AS a JOIN waybill.agent_versions AS v ON v.org = a.org AND v.agent_id = a.agent_id'

export function viewOf(row: VersionRow): AgentView {
  const { agent_id, version, digest, media_type, status, created_at } = row
  const { name, levels, negotiation, issues } = reportOf(row)
  const labels = Object.keys(row.labels).filter((label) => row.labels[label] === version)
  return {
    agent_id,
    name,
    version,
    digest,
    media_type,
    status,
    labels: labels.sort(),
    levels: levels as JsonObject,
    negotiation,
    issues,
    uploaded_by: uploaderOf(row),
    created_at: created_at.toISOString(),
  }
}

export function reportOf({ report }: Pick<VersionRow, 'report'>): UploadReport {
  return JSON.parse(report) as UploadReport
}

/** Locks an agent until the end of the transaction: changes of one agent follow one another. @throws AGENT_NOT_FOUND */
export async function lockAgent(on: Sql, org: string, agentId: string): Promise<AgentRow> {
  const { rows } = await on.query<AgentRow>(
    'SELECT agent_id, active, labels FROM waybill.agents WHERE org = $1 AND agent_id = $2 FOR UPDATE',
    [org, storedText(agentId)],
  )
  const [row] = rows
  if (row === undefined) throw agentNotFound(agentId)
  return row
}

/**
 * Returns the version that a name leads to: a version or a label; without a name the active one, else the newest.
 * @throws AGENT_NOT_FOUND, VERSION_NOT_FOUND
 */
export async function findVersion<T extends object = VersionRow>(
  on: Sql,
  org: string,
  agentId: string,
  wanted?: string,
  columns = VIEW_COLUMNS,
): Promise<T> {
  const id = storedText(agentId)
  const { rows } = await on.query<T>(
    `SELECT ${columns} FROM ${JOINED} WHERE a.org = $1 AND a.agent_id = $2
       AND ($3::text IS NULL AND v.status <> 'draft' OR v.version = $3 OR v.version = a.labels->>$3)
     ORDER BY (v.version = coalesce($3, a.active)) DESC NULLS LAST, v.n DESC LIMIT 1`,
    [org, id, wanted === undefined ? null : storedText(wanted)],
  )
  const [row] = rows
  if (row !== undefined) return row
  const { rowCount } = await on.query('SELECT 1 FROM waybill.agents WHERE org = $1 AND agent_id = $2', [
    org,
    id,
  ])
  throw rowCount === 0 ? agentNotFound(agentId) : versionNotFound(agentId, wanted ?? '')
}

/**
 * Returns the version that a new run uses.
 * @param wanted a version or a label; absent: the active version
 * @throws AGENT_NOT_FOUND, VERSION_NOT_FOUND, AGENT_NOT_ACTIVE
 */
export async function versionToRun(
  on: Sql,
  org: string,
  agentId: string,
  wanted?: string,
): Promise<StoredVersion> {
  const found = await findVersion<StoredVersion & { readonly active: string | null }>(
    on,
    org,
    agentId,
    wanted,
    `${VERSION_COLUMNS}, a.active`,
  )
  const { status, version, active } = found
  if (wanted === undefined && active === null)
    throw notActive(`agent ${agentId} has no active version; its newest one, ${version}, is ${status}`)
  if (status === 'pending' || status === 'deprecated')
    throw notActive(`version ${version} of agent ${agentId} is ${status}`)
  return found
}

/** Sets the status of a version. */
export async function setStatus(
  on: Sql,
  org: string,
  { agent_id, version }: Pick<VersionRow, 'agent_id' | 'version'>,
  status: AgentStatus,
): Promise<void> {
  await on.query(sql`
    UPDATE waybill.agent_versions SET status = ${status}
    WHERE org = ${org} AND agent_id = ${agent_id} AND version = ${version}`)
}

function agentNotFound(agentId: string): WaybillError {
  return new WaybillError('AGENT_NOT_FOUND', {
    fault: 'usage',
    message: `there is no agent ${JSON.stringify(agentId.slice(0, 200))}`,
    hint: 'list the agents with GET /v1/agents',
  })
}

function versionNotFound(agentId: string, wanted: string): WaybillError {
  return new WaybillError('VERSION_NOT_FOUND', {
    fault: 'usage',
    message: `agent ${agentId} has no version or label ${JSON.stringify(wanted.slice(0, 200))}`,
    hint: 'list the versions with GET /v1/agents/ID/versions',
  })
}

export function notActive(message: string): WaybillError {
  return new WaybillError('AGENT_NOT_ACTIVE', {
    message,
    hint: 'activate a version with POST /v1/agents/ID/activate, or name another version',
  })
}
