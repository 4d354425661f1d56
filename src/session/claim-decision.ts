import { isDeepStrictEqual } from 'node:util'
import { WaybillError } from '../document/issue.ts'
import { asJson } from '../document/json.ts'
import type { Plan } from '../plan/plan.ts'
import { removePii } from '../policy/pii/remove-pii.ts'
import { decisionFact, type LeftDecision, type PersonDecided } from '../run/record/left-decision.ts'
import type { Records } from '../run/record/records.ts'
import type { CallEntry, RunState } from '../run/state.ts'
import { createRedactor, type Redactor } from '../secret/redact.ts'
import { assertEditable } from './assert-editable.ts'
import { questionOf } from './left-decisions.ts'

/** How often a decision is stored again if the run continued while it was being stored. */
export const TRIES = 20

/**
 * Stores a decision before it takes effect, so that it is the only one about this question.
 * @param state of the run that asks
 * @returns the decision that counts: this one, or the one that another person made first
 */
export async function claimDecision(
  records: Pick<Records, 'runs'>,
  runId: string,
  call: CallEntry,
  fact: PersonDecided,
  plan: Plan,
  redactor: Redactor,
  state: RunState,
): Promise<PersonDecided> {
  const clean = cleanDecision(fact, plan, redactor)
  if (fact.verdict === 'edit') assertEditable({ plan, state }, call, fact, clean)
  if (fact.answers !== undefined && !isDeepStrictEqual(fact.answers, clean.answers))
    // Stored, it would lose its secrets and personal data, and the server would get the marks in their place.
    return fact
  for (let tried = 0; tried < TRIES; tried++) {
    const events = await records.runs.events(runId)
    const decision: LeftDecision = { ...clean, key: call.key, seen: events.length }
    const decided = await records.runs.decide(runId, questionOf(call, events), decision)
    if (decided.outcome === 'kept') return fact
    if (decided.outcome === 'taken') return decisionFact(decided.by)
  }
  throw movedOn(runId)
}

/**
 * Removes secrets and personal data from a decision, because it is stored before the run takes it up.
 * @param redactor knows the secrets of the run; absent: only known formats of keys are removed
 */
export function cleanDecision(
  fact: PersonDecided,
  plan: Plan,
  redactor: Redactor = createRedactor(new Map()),
): PersonDecided {
  // The placeholders of the run are not available here.
  const clean = removePii(plan.pii)
  return {
    ...fact,
    ...(fact.why !== undefined && { why: clean(redactor.text(fact.why)) }),
    ...(fact.result !== undefined && { result: clean(redactor.json(fact.result)) }),
    ...(fact.arguments !== undefined && { arguments: clean(redactor.json(fact.arguments)) }),
    ...(fact.answers !== undefined && {
      answers: clean(redactor.json(asJson(fact.answers))) as unknown as NonNullable<typeof fact.answers>,
    }),
  }
}

export function movedOn(runId: string): WaybillError {
  return new WaybillError('APPROVAL_MOVED_ON', {
    fault: 'failed',
    message: `run ${runId} continued while the decision was being stored, again and again`,
    hint: '`waybill approvals list` shows what it asks now; try again',
  })
}
