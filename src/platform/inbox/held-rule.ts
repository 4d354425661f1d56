import { asJson, type JsonObject } from '../../document/json.ts'
import type { Records } from '../../run/record/records.ts'
import { isCovered } from '../../session/standing-decision.ts'
import { standingRules } from '../../session/standing-rules.ts'
import type { WaitingCall } from '../../session/waiting-calls.ts'
import { whyHeld } from '../policies/held-by-policy.ts'
import type { StoredQuestion } from './question-rows.ts'

/** Returns whether the policy of a question may keep a rule from deciding it. */
export function mayHold({ settings, view }: StoredQuestion): boolean {
  const isStrict = settings !== undefined && (settings.approvals_needed > 1 || !settings.starter_may_decide)
  return isStrict && view.asks === 'approval'
}

/** Returns why a standing rule that covers a call does not decide it, or undefined if there is none. */
export async function heldRule(
  { grants }: Pick<Records, 'grants'>,
  question: StoredQuestion,
  { run, call }: WaitingCall,
): Promise<string | undefined> {
  const { settings, starters } = question
  if (settings === undefined || !mayHold(question) || call.status !== 'asking') return undefined
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
