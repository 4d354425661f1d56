import type pg from 'pg'
import type { Records } from '../../run/record/records.ts'
import { movedOn } from '../../session/claim-decision.ts'
import { questionOf } from '../../session/left-decisions.ts'
import { waitingCallsOf } from '../../session/waiting-calls.ts'
import { sql } from '../database/sql.ts'
import { originalText, storedText } from '../database/stored-text.ts'
import { inOrganisation, type Sql } from '../database/tenant.ts'
import { policyFor } from '../policies/policy-rows.ts'
import { startersOf } from '../policies/starters-of.ts'
import type { ApprovalView } from './approval.ts'
import { viewOf } from './approvals.ts'
import { notify } from './notify.ts'
import { findQuestion } from './question-rows.ts'

export interface SyncParts {
  /** Connections of the role that this process acts in. */
  readonly pool: pg.Pool
  readonly org: string
  readonly records: Pick<Records, 'runs'>
  /** The URL of the platform, for links; absent: messages have none. */
  readonly publicUrl?: string | undefined
}

interface Open {
  readonly view: ApprovalView
  readonly key: string
  readonly asked: number
}

/** How often a run is read again that continues meanwhile. */
const TRIES = 20

/**
 * Brings the rows of a run's questions up to date: opens those that it asks now, each with its policy and its first
 * notifications, and closes the others. May be called at any time, by several processes at once.
 * @throws RUN_NOT_FOUND, RECORD_DAMAGED; APPROVAL_MOVED_ON if the run continues again and again
 */
export async function syncQuestions(parts: SyncParts, runId: string): Promise<void> {
  for (let tried = 0; tried < TRIES; tried++) if (await syncOnce(parts, runId)) return
  throw movedOn(runId)
}

/** @returns false if the run has continued since it was read: then nothing is changed */
async function syncOnce(parts: SyncParts, runId: string): Promise<boolean> {
  const { pool, org, records } = parts
  const run = await records.runs.read(runId)
  const open: Open[] = []
  for (const one of await waitingCallsOf(records, run)) {
    if (one.decided !== undefined) continue
    const question = questionOf(one.call, await records.runs.events(runId))
    open.push({ view: await viewOf(records, one), ...question })
  }
  const { agent_id, rehearsal } = run.header
  const id = storedText(runId)
  return inOrganisation(pool, org, async (sql) => {
    // Held against appends for this moment: rows of an older state would never be corrected.
    const { rows } = await sql.query<{ seq: number }>(
      'SELECT seq FROM waybill.progress WHERE org = $1 AND run_id = $2 FOR SHARE',
      [org, id],
    )
    if (rows[0]?.seq !== run.state.seq) return false
    await sql.query(
      `UPDATE waybill.questions SET closed_at = clock_timestamp(), outcome = 'ended'
       WHERE org = $1 AND run_id = $2 AND closed_at IS NULL AND id <> ALL ($3)`,
      [org, id, open.map(({ view }) => storedText(view.id))],
    )
    for (const one of open) await openQuestion(sql, parts, { ...one, agent_id, rehearsal })
    await sql.query('DELETE FROM waybill.changed_questions WHERE org = $1 AND run_id = $2', [org, id])
    return true
  })
}

async function openQuestion(
  on: Sql,
  parts: SyncParts,
  {
    view,
    key,
    asked,
    agent_id,
    rehearsal,
  }: Open & { readonly agent_id: string; readonly rehearsal: boolean },
): Promise<void> {
  const { org } = parts
  const known = await on.query('SELECT FROM waybill.questions WHERE org = $1 AND id = $2', [
    org,
    storedText(view.id),
  ])
  if (known.rowCount === 1) return
  const policy = await policyFor(on, org, { agent_id, tool: view.tool })
  const runId = storedText(view.run_id)
  const { remind_after_seconds: remind, escalate, expire } = policy ?? {}
  const { rowCount } = await on.query(
    // A decision that was stored since the run was read has closed the question.
    sql`INSERT INTO waybill.questions (org, id, run_id, key, asked, agent_id, rehearsal, view, starters, policy, settings,
       remind_at, escalate_at, expires_at)
     SELECT ${org}, ${storedText(view.id)}, ${runId}, ${storedText(key)}, ${asked}, ${storedText(agent_id)}, ${rehearsal},
       ${JSON.stringify(view)}, ${await startersOf(on, org, runId)}, ${policy?.name ?? null},
       ${policy === undefined ? null : JSON.stringify(policy)},
       ${after(remind)}, ${after(escalate?.after_seconds)}, ${after(expire?.after_seconds)}
     WHERE NOT EXISTS (SELECT FROM waybill.decisions
       WHERE org = ${org} AND run_id = ${runId} AND key = ${storedText(key)} AND asked = ${asked})
     ON CONFLICT DO NOTHING`,
  )
  if (rowCount === 0 || policy === undefined) return
  const question = await findQuestion(on, org, view.id)
  if (question !== undefined) await notify(on, parts, question, 'opened', policy.notify)
}

/** Returns SQL for a time after now. */
function after(seconds: number | undefined) {
  return sql`clock_timestamp() + ${seconds ?? null}::int * interval '1 second'`
}

/** Returns runs whose questions may differ from the rows, those first that have waited longest. */
export async function changedRuns(
  engine: pg.Pool,
): Promise<readonly { readonly org: string; readonly run_id: string }[]> {
  const { rows } = await engine.query<{ org: string; run_id: string }>({
    name: 'changed-questions',
    text: 'SELECT org, run_id FROM waybill.changed_questions ORDER BY since LIMIT 100',
  })
  return rows.map(({ org, run_id }) => ({ org, run_id: originalText(run_id) }))
}

/** Puts a run behind the others, or gives it up: its record cannot be read. */
export async function postponeRun(
  engine: pg.Pool,
  org: string,
  runId: string,
  { forever }: { readonly forever: boolean },
): Promise<void> {
  const of = [org, storedText(runId)]
  if (forever) await engine.query('DELETE FROM waybill.changed_questions WHERE org = $1 AND run_id = $2', of)
  else
    await engine.query(
      'UPDATE waybill.changed_questions SET since = clock_timestamp() WHERE org = $1 AND run_id = $2',
      of,
    )
}
