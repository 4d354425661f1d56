import { v7 as uuidv7 } from 'uuid'
import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import { compileAssertion } from '../../http/schema-check.ts'
import { runNotFound } from '../../run/record/record-errors.ts'
import type { Records } from '../../run/record/records.ts'
import { sql } from '../database/sql.ts'
import { originalText, storedText, textOrNull } from '../database/stored-text.ts'
import { inOrganisation, type Sql } from '../database/tenant.ts'
import type { OrganisationParts } from '../people/organisation-parts.ts'
import { type CallInFlight, type NewStop, newStop, type StopKind, type Stops, type StopView } from './stop.ts'

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

const STOP = sql`id, kind, subject, by, reason, since`

const assertNewStop = compileAssertion(newStop)

export interface StopsParts extends OrganisationParts {
  readonly records: Pick<Records, 'runs'>
  /** Notifies the worker of this process, if there is one, that something has arrived for a run. */
  readonly notify: (org: string, runId: string) => void
}

/** The stops of an organisation. Workers see a new one within a fifth of a second: see `LiveRuns`. */
export function stopsOf({ app, org, principal, audited, records, notify }: StopsParts): Stops {
  const act = <T>(work: (on: Sql) => Promise<T>) => inOrganisation(app, org, work)
  return {
    list: () =>
      act(async (on) => {
        const { rows } = await on.query<StopRow>(
          sql`SELECT ${STOP} FROM waybill.stops WHERE org = ${org} AND lifted_at IS NULL ORDER BY since`,
        )
        return { items: rows.map(viewOf) }
      }),

    async stop(request) {
      assertNewStop(request)
      const { kind, subject: named } = subjectOf(request, org)
      const id = uuidv7()
      const { view, driven } = await act(async (on) => {
        const subject = kind === 'run' ? await rootOf(on, org, named) : named
        const { rows } = await on.query<StopRow>(
          sql`INSERT INTO waybill.stops (org, id, kind, subject, by, reason)
              VALUES (${org}, ${id}, ${kind}, ${storedText(subject)}, ${principal.user}, ${request.reason ?? null})
              RETURNING ${STOP}`,
        )
        await audited(on, 'stop.set', {
          stop: id,
          of: kind,
          subject,
          ...defined({ reason: request.reason }),
        })
        const held = await on.query<{ run_id: string }>(
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
      act(async (on) => {
        const { rowCount } = await on.query(
          `UPDATE waybill.stops SET lifted_at = now(), lifted_by = $3 WHERE org = $1 AND id = $2 AND lifted_at IS NULL`,
          [org, storedText(id), principal.user],
        )
        if (rowCount === 0) throw stopNotFound(id)
        const runs = await resumeRuns(on, org, id, principal.user)
        await audited(on, 'stop.lifted', { stop: id })
        // Last: it locks a row on which all runs of the organisation are queued.
        await on.query('SELECT waybill.wake($1, run_id) FROM unnest($2::text[]) AS run_id', [org, runs])
        return { runs: runs.length }
      }),
  }
}

/**
 * Notes that a run waits for the end of a stop, in the transaction that parks it. If the stop was lifted meanwhile, the
 * run is due at once. @param paused the stop has paused the run on record, so it must be resumed
 */
export async function parkStopped(
  on: Sql,
  {
    org,
    run_id,
    stop,
    paused,
  }: { readonly org: string; readonly run_id: string; readonly stop: string; readonly paused: boolean },
): Promise<void> {
  const run = [org, storedText(run_id)]
  const { rows } = await on.query<{ by: string }>(
    'SELECT by FROM waybill.stops WHERE org = $1 AND id = $2 AND lifted_at IS NULL FOR SHARE',
    [org, stop],
  )
  const [active] = rows
  if (active !== undefined) {
    await on.query('UPDATE waybill.progress SET why = $3 WHERE org = $1 AND run_id = $2', [
      ...run,
      `stopped by ${active.by}`,
    ])
    await on.query(
      sql`INSERT INTO waybill.stopped_runs AS s (org, run_id, stop, paused)
          VALUES (${org}, ${storedText(run_id)}, ${stop}, ${paused})
          ON CONFLICT (org, run_id) DO UPDATE SET stop = excluded.stop, paused = s.paused OR excluded.paused`,
    )
    return
  }
  if (paused) await resume(on, org, [run_id], 'the platform')
  await on.query(
    `UPDATE waybill.progress SET due_at = (extract(epoch FROM clock_timestamp()) * 1000)::bigint
     WHERE org = $1 AND run_id = $2 AND phase = 'parked'`,
    run,
  )
}

/** @throws RUNS_STOPPED if a stop covers a run that would start or continue */
export async function assertNotStopped(
  on: Sql,
  org: string,
  run: { readonly run_id?: string; readonly agent_id?: string; readonly user?: string | undefined },
): Promise<void> {
  const { run_id, agent_id, user } = run
  const { rows } = await on.query<StopRow>(
    sql`SELECT ${STOP} FROM waybill.stops
        WHERE org = ${org} AND lifted_at IS NULL AND (
          kind = 'organisation' OR (kind = 'agent' AND subject = ${textOrNull(agent_id)})
          OR (kind = 'user' AND subject = ${textOrNull(user)}) OR id = waybill.stop_of(${org}, ${textOrNull(run_id)}))
        ORDER BY since LIMIT 1`,
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
async function resumeRuns(on: Sql, org: string, stop: string, by: string): Promise<readonly string[]> {
  const { rows } = await on.query<{ run_id: string; paused: boolean }>(
    `WITH gone AS (DELETE FROM waybill.stopped_runs WHERE org = $1 AND stop = $2 RETURNING run_id, paused)
     SELECT gone.run_id, gone.paused FROM gone JOIN waybill.progress AS p
       ON p.org = $1 AND p.run_id = gone.run_id AND p.phase <> 'over'`,
    [org, storedText(stop)],
  )
  await resume(
    on,
    org,
    rows.filter(({ paused }) => paused).map(({ run_id }) => run_id),
    by,
  )
  return rows.map(({ run_id }) => run_id)
}

async function resume(on: Sql, org: string, runIds: readonly string[], by: string): Promise<void> {
  await on.query(
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
  // The schema has assured that there is exactly one.
  const [[kind, subject]] = Object.entries(defined({ run, agent, user, organisation })) as [
    [StopKind, string],
  ]
  if (kind === 'organisation' && subject !== org)
    throw new WaybillError('ORGANISATION_NOT_FOUND', {
      fault: 'usage',
      message: `there is no organisation ${JSON.stringify(subject.slice(0, 100))}`,
      hint: 'name the own organisation: GET /v1/me',
    })
  return { kind, subject }
}

/** A sub-agent is driven by the leg of its root. @throws RUN_NOT_FOUND */
async function rootOf(on: Sql, org: string, runId: string): Promise<string> {
  const { rows } = await on.query<{ root: string }>(
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
