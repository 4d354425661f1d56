import { defined } from '../../document/defined.ts'
import { asJson, type JsonObject } from '../../document/json.ts'
import type { Records } from '../../run/record/records.ts'
import { isCovered } from '../../session/standing-decision.ts'
import { standingRules } from '../../session/standing-rules.ts'
import type { WaitingCall } from '../../session/waiting-calls.ts'
import { inOrganisation } from '../database/tenant.ts'
import type { OrganisationParts } from '../people/organisation-parts.ts'
import { whyHeld } from '../rules/held-by-policy.ts'
import type { ShownQuestion } from './inbox.ts'
import { openQuestionsOf, type StoredQuestion } from './question-rows.ts'
import { votesOn, votesView } from './votes.ts'

export interface ShownParts extends Pick<OrganisationParts, 'app' | 'org'> {
  readonly records: Pick<Records, 'grants'>
}

/**
 * Returns what is shown of open questions beside the calls, by their ids. A question whose row a worker has not opened yet
 * is absent: it has no votes.
 */
export async function shownQuestions(
  { app, org, records }: ShownParts,
  waiting: ReadonlyMap<string, WaitingCall>,
): Promise<ReadonlyMap<string, ShownQuestion>> {
  if (waiting.size === 0) return new Map()
  const { questions, votes } = await inOrganisation(app, org, async (sql) => {
    const questions = await openQuestionsOf(sql, org, [...waiting.keys()])
    return { questions, votes: await votesOn(sql, org, [...questions.keys()]) }
  })
  const shown = new Map<string, ShownQuestion>()
  for (const [id, call] of waiting) {
    const question = questions.get(id)
    if (question === undefined) continue
    const { policy, settings } = question
    const isVoted = (settings?.approvals_needed ?? 1) > 1
    const hint = await heldRule(records, question, call)
    shown.set(id, {
      policy,
      ...(isVoted && { votes: votesView(question, votes.get(id) ?? []) }),
      ...defined({ hint }),
    })
  }
  return shown
}

/** Returns why a standing rule that covers a call does not decide it, or undefined if there is none. */
export async function heldRule(
  { grants }: Pick<Records, 'grants'>,
  { settings, starters }: StoredQuestion,
  { run, call }: WaitingCall,
): Promise<string | undefined> {
  const mayHold = settings !== undefined && (settings.approvals_needed > 1 || !settings.starter_may_decide)
  if (!mayHold || call.status !== 'asking') return undefined
  const args = asJson(call.args) as JsonObject
  const rules = await standingRules(grants, run.header.definitions).of(run.plan)
  let hint: string | undefined
  for (const { rule, what, by } of rules) {
    if (rule.tool !== call.tool || !isCovered(rule, args, run.plan, run.state)) continue
    const why = whyHeld(settings, [by], starters)
    if (why === undefined) return undefined
    hint ??= `the standing rule "${what}" of ${by} covers this call and does not decide it: ${why}`
  }
  return hint
}
