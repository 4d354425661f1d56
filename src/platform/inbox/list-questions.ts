import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import { type Grant, isInForce } from '../../run/record/grant.ts'
import { PAGE_LIMIT, pageOfRows, readKeyCursor } from '../../run/record/page-cursor.ts'
import type { PageOf, Records } from '../../run/record/records.ts'
import { waitingCallsOf } from '../../session/waiting-calls.ts'
import { originalText, storedText } from '../database/stored-text.ts'
import { inOrganisation } from '../database/tenant.ts'
import type { OrganisationParts } from '../people/organisation-parts.ts'
import type { ApprovalQuery, ApprovalView } from './approval.ts'
import { heldRule, mayHold } from './held-rule.ts'
import { listedQuestions, type StoredQuestion } from './question-rows.ts'
import { type SyncParts, syncQuestions } from './sync-questions.ts'
import { votesOn, votesView } from './votes.ts'

export interface ListParts extends Pick<OrganisationParts, 'app' | 'org'> {
  readonly sync: SyncParts
  readonly records: Pick<Records, 'grants'>
}

/** Runs whose rows one request brings up to date: a worker does the rest. */
const MOST_CHANGED = 100

/**
 * Returns a page of open questions from their rows, those of the newest run first. The number of statements does not depend
 * on the number of questions: a record is read only for a run that has changed since a worker has looked at it, and to say
 * why a rule that names the tool of a question does not decide it.
 */
export async function listQuestions(
  parts: ListParts,
  { limit = PAGE_LIMIT, cursor, ...filter }: ApprovalQuery,
): Promise<PageOf<ApprovalView>> {
  const { app, org, records } = parts
  await bringUpToDate(parts, filter.run_id)
  const after = cursor === undefined ? undefined : placeIn(readKeyCursor(cursor, 4))
  const { rows, votes } = await inOrganisation(app, org, async (sql) => {
    const found = await listedQuestions(sql, org, { ...filter, after, limit: limit + 1 })
    const voted = found.filter(({ settings }) => (settings?.approvals_needed ?? 1) > 1)
    return {
      rows: found,
      votes: await votesOn(
        sql,
        org,
        voted.map(({ id }) => id),
      ),
    }
  })
  const rules = rows.some(mayHold) ? (await records.grants.list()).filter(isRule) : []
  const hints = new Map<string, string>()
  for (const row of rows.slice(0, limit)) {
    if (!rules.some((rule) => couldDecide(rule, row))) continue
    const hint = await hintOf(parts, row)
    if (hint !== undefined) hints.set(row.id, hint)
  }
  const itemOf = (row: StoredQuestion): ApprovalView => {
    const { policy, settings, id } = row
    const isVoted = (settings?.approvals_needed ?? 1) > 1
    return {
      ...row.view,
      policy,
      ...(isVoted && { votes: votesView(row, votes.get(id) ?? []) }),
      ...defined({ hint: hints.get(id) }),
    }
  }
  return pageOfRows(rows, limit, itemOf, ({ place }) => place)
}

/** Rows follow from the record of their run, and a worker may not have looked at it yet. */
async function bringUpToDate({ app, org, sync }: ListParts, root: string | undefined): Promise<void> {
  const { rows } = await inOrganisation(app, org, (sql) =>
    sql.query<{ run_id: string }>(
      `SELECT c.run_id FROM waybill.changed_questions AS c JOIN waybill.runs AS r USING (org, run_id)
       WHERE c.org = $1 AND NOT r.imported AND ($2::text IS NULL OR r.run_id = $2 OR r.root = $2) ORDER BY c.since LIMIT ${MOST_CHANGED}`,
      [org, root === undefined ? null : storedText(root)],
    ),
  )
  for (const { run_id } of rows)
    await syncQuestions(sync, originalText(run_id)).catch((error: unknown) => {
      // One that was removed, cannot be read or continues again and again does not hide the others.
      if (!(error instanceof WaybillError)) throw error
    })
}

function isRule(grant: Grant): boolean {
  return grant.kind === 'call' && isInForce(grant, Date.now())
}

function couldDecide({ what, agent_id }: Grant, row: StoredQuestion): boolean {
  const { tool, agent_id: asks } = row.view
  return mayHold(row) && agent_id === asks && (what === tool || what.startsWith(`${tool} `))
}

async function hintOf({ records, sync }: ListParts, question: StoredQuestion): Promise<string | undefined> {
  const { run_id, call_id } = question.view
  const waiting = await waitingCallsOf(sync.records, await sync.records.runs.read(run_id))
  const one = waiting.find(({ call }) => call.id === call_id)
  return one && heldRule(records, question, one)
}

type Place = readonly [created_at: string, run_id: string, opened_at: string, id: string]

function placeIn(key: readonly string[]): Place {
  return key as unknown as Place
}
