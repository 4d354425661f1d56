import { v7 as uuidv7 } from 'uuid'
import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import { runNotFound } from '../../run/record/record-errors.ts'
import type { Records } from '../../run/record/records.ts'
import { originalText, storedText, textOrNull } from '../database/stored-text.ts'
import { inOrganisation, type Sql } from '../database/tenant.ts'
import type { OrganisationParts } from '../people/organisation-parts.ts'

/** Runs whose calls in flight an answer lists. */
const LISTED = 100

interface StopRow {
  readonly id: string
  readonly kind: StopKind
  readonly subject: string
  readonly by: string
  readonly reason: string | null
  readonly since: Date
}

export interface StopsParts extends OrganisationParts {
  readonly records: Pick<Records, 'runs'>
  /** Notifies the worker of this process, if there is one, that something has arrived for a run. */
  readonly notify: (org: string, runId: string) => void
}

/** The stops of an organisation. Workers see a new one within a fifth of a second: see `LiveRuns`. */
export function stopsOf({ app, org, principal, audited, records, notify }: StopsParts): Stops {
  const act = <T>(work: (sql: Sql) => Promise<T>) => inOrganisation(app, org, work)
  return {
    list: () =>
      act(async (sql) => {
        const { rows } = await sql.query<StopRow>(
          `SELECT id, kind, subject, by, reason, since FROM waybill.stops
           WHERE org = $1 AND lifted_at IS NULL ORDER BY since`,
          [org],
        )
        return { items: rows.map(viewOf) }
      }),

    async stop(request) {
      const { kind, subject: named } = subjectOf(request, org)
      const id = uuidv7()
      const { view, driven } = await act(async (sql) => {
        const subject = kind === 'run' ? await rootOf(sql, org, named) : named
        const { rows } = await sql.query<StopRow>(
          `INSERT INTO waybill.stops (org, id, kind, subject, by, reason) VALUES ($1, $2, $3, $4, $5, $6)
           RETURNING id, kind, subject, by, reason, since`,
          [org, id, kind, storedText(subject), principal.user, request.reason ?? null],
        )
        await audited(sql, 'stop.set', {
          stop: id,
          of: kind,
          subject,
          ...defined({ reason: request.reason }),
        })
        const held = await sql.query<{ run_id: string }>(
          `SELECT run_id FROM waybill.progress
           WHERE org = $1 AND phase = 'queued' AND holder IS NOT NULL AND waybill.stop_of(org, run_id) IS NOT NULL`,
          [org],
        )
        return { view: rows.map(viewOf)[0], driven: held.rows.map(({ run_id }) => run_id) }
      })
      for (const runId of driven) notify(org, runId)
      if (view === undefined) throw new TypeError('an insert returns its row')
      const lists = await Promise.all(driven.slice(0, LISTED).map((runId) => inFlight(records, runId)))
      return { ...view, runs: driven.length, in_flight: lists.flat() }
    },

    lift: (id) =>
      act(async (sql) => {
        const { rowCount } = await sql.query(
          `UPDATE waybill.stops SET lifted_at = now(), lifted_by = $3 WHERE org = $1 AND id = $2 AND lifted_at IS NULL`,
          [org, storedText(id), principal.user],
        )
        if (rowCount === 0) throw stopNotFound(id)
        const runs = await resumeRuns(sql, org, id, principal.user)
        await audited(sql, 'stop.lifted', { stop: id })
        // Last: it locks a row on which all runs of the organisation are queued.
        await sql.query('SELECT waybill.wake($1, run_id) FROM unnest($2::text[]) AS run_id', [org, runs])
        return { runs: runs.length }
      }),
  }
}

/**
 * Notes that a run waits for the end of a stop, in the transaction that parks it. If the stop was lifted meanwhile, the
 * run is due at once. @param paused the stop has paused the run on record, so it must be resumed
 */
export async function parkStopped(
  sql: Sql,
  {
    org,
    run_id,
    stop,
    paused,
  }: { readonly org: string; readonly run_id: string; readonly stop: string; readonly paused: boolean },
): Promise<void> {
  const run = [org, storedText(run_id)]
  const { rows } = await sql.query<{ by: string }>(
    'SELECT by FROM waybill.stops WHERE org = $1 AND id = $2 AND lifted_at IS NULL FOR SHARE',
    [org, stop],
  )
  const [active] = rows
  if (active !== undefined) {
    await sql.query('UPDATE waybill.progress SET why = $3 WHERE org = $1 AND run_id = $2', [
      ...run,
      `stopped by ${active.by}`,
    ])
    await sql.query(
      `INSERT INTO waybill.stopped_runs AS s (org, run_id, stop, paused) VALUES ($1, $2, $3, $4)
       ON CONFLICT (org, run_id) DO UPDATE SET stop = excluded.stop, paused = s.paused OR excluded.paused`,
      [...run, stop, paused],
    )
    return
  }
  if (paused) await resume(sql, org, [run_id], 'the platform')
  await sql.query(
    `UPDATE waybill.progress SET due_at = (extract(epoch FROM clock_timestamp()) * 1000)::bigint
     WHERE org = $1 AND run_id = $2 AND phase = 'parked'`,
    run,
  )
}

/** @throws RUNS_STOPPED if a stop covers a run that would start or continue */
export async function assertNotStopped(
  sql: Sql,
  org: string,
  run: { readonly run_id?: string; readonly agent_id?: string; readonly user?: string | undefined },
): Promise<void> {
  const { run_id, agent_id, user } = run
  const { rows } = await sql.query<StopRow>(
    `SELECT id, kind, subject, by, reason, since FROM waybill.stops
     WHERE org = $1 AND lifted_at IS NULL AND (
       kind = 'organisation' OR (kind = 'agent' AND subject = $2) OR (kind = 'user' AND subject = $3) OR id = waybill.stop_of($1, $4))
     ORDER BY since LIMIT 1`,
    [org, textOrNull(agent_id), textOrNull(user), textOrNull(run_id)],
  )
  const [stop] = rows
  if (stop === undefined) return
  const whose = stop.kind === 'organisation' ? 'the organisation' : `the ${stop.kind} ${stop.subject}`
  throw new WaybillError('RUNS_STOPPED', {
    fault: 'refused',
    message: `${stop.by} has stopped ${whose}${stop.reason === null ? '' : `: ${stop.reason}`}`,
    hint: `wait until the stop is lifted, or lift it with DELETE /v1/stops/${stop.id}`,
  })
}

/** @returns the runs that continue when they are woken */
async function resumeRuns(sql: Sql, org: string, stop: string, by: string): Promise<readonly string[]> {
  const { rows } = await sql.query<{ run_id: string; paused: boolean }>(
    `WITH gone AS (DELETE FROM waybill.stopped_runs WHERE org = $1 AND stop = $2 RETURNING run_id, paused)
     SELECT gone.run_id, gone.paused FROM gone JOIN waybill.progress AS p
       ON p.org = $1 AND p.run_id = gone.run_id AND p.phase <> 'over'`,
    [org, storedText(stop)],
  )
  await resume(
    sql,
    org,
    rows.filter(({ paused }) => paused).map(({ run_id }) => run_id),
    by,
  )
  return rows.map(({ run_id }) => run_id)
}

async function resume(sql: Sql, org: string, runIds: readonly string[], by: string): Promise<void> {
  await sql.query(
    `INSERT INTO waybill.commands (org, run_id, body, by) SELECT $1, run_id, '{"type":"resume"}', $3 FROM unnest($2::text[]) AS run_id`,
    [org, runIds.map(storedText), by],
  )
}

/** Calls that were sent and have no answer yet: a stop does not undo them. */
async function inFlight({ runs }: Pick<Records, 'runs'>, runId: string): Promise<readonly CallInFlight[]> {
  const { state } = await runs.read(runId)
  return state.calls
    .filter(({ status, agent }) => status === 'sent' && agent === undefined)
    .map(({ id, tool, effect }) => ({ run_id: runId, call_id: id, tool, effect }))
}

function subjectOf(
  { run, agent, user, organisation }: NewStop,
  org: string,
): { kind: StopKind; subject: string } {
  const given = Object.entries(defined({ run, agent, user, organisation }))
  const [first] = given
  if (first === undefined || given.length !== 1)
    throw new WaybillError('REQUEST_INVALID', {
      message: 'a stop is of one run, agent, user or organisation',
      hint: 'give exactly one of run, agent, user and organisation',
    })
  const [kind, subject] = first as [StopKind, string]
  if (kind === 'organisation' && subject !== org)
    throw new WaybillError('ORGANISATION_NOT_FOUND', {
      fault: 'usage',
      message: `there is no organisation ${JSON.stringify(subject.slice(0, 100))}`,
      hint: 'name the own organisation: GET /v1/me',
    })
  return { kind, subject }
}

/** A sub-agent is driven by the leg of its root. @throws RUN_NOT_FOUND */
async function rootOf(sql: Sql, org: string, runId: string): Promise<string> {
  const { rows } = await sql.query<{ root: string }>(
    'SELECT coalesce(root, run_id) AS root FROM waybill.runs WHERE org = $1 AND run_id = $2',
    [org, storedText(runId)],
  )
  const [row] = rows
  if (row === undefined) throw runNotFound(runId)
  return originalText(row.root)
}

function viewOf({ reason, since, ...row }: StopRow): StopView {
  return { ...row, ...(reason !== null && { reason }), since: since.toISOString() }
}

function stopNotFound(id: string): WaybillError {
  return new WaybillError('STOP_NOT_FOUND', {
    fault: 'usage',
    message: `no stop ${JSON.stringify(id.slice(0, 100))} is active`,
    hint: 'list the active stops with GET /v1/stops',
  })
}

export type StopKind = 'run' | 'agent' | 'user' | 'organisation'

/** Exactly one of the members but `reason`. */
export interface NewStop {
  readonly run?: string
  /** The `agent_id`, also where it is a sub-agent. */
  readonly agent?: string
  readonly user?: string
  readonly organisation?: string
  readonly reason?: string
}

export interface StopView {
  readonly id: string
  readonly kind: StopKind
  readonly subject: string
  readonly by: string
  readonly reason?: string
  readonly since: string
}

/** A call that was sent and has no answer: a stop does not undo it. */
export interface CallInFlight {
  readonly run_id: string
  readonly call_id: string
  readonly tool: string
  readonly effect: string
}

export interface NewStopView extends StopView {
  /** How many runs were driven. */
  readonly runs: number
  /** The calls in flight of the first 100 of them. */
  readonly in_flight: readonly CallInFlight[]
}

export interface Stops {
  /** Lists the active stops. */
  list(): Promise<{ readonly items: readonly StopView[] }>
  /** Stops all sending within a second; no new runs start until it is lifted. @throws REQUEST_INVALID, RUN_NOT_FOUND */
  stop(request: NewStop): Promise<NewStopView>
  /** @returns how many runs continue @throws STOP_NOT_FOUND */
  lift(id: string): Promise<{ readonly runs: number }>
}
