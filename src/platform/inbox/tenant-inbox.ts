import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import { compileAssertion } from '../../http/schema-check.ts'
import { PAGE_LIMIT, pageOfRows, readKeyCursor } from '../../run/record/page-cursor.ts'
import type { Records } from '../../run/record/records.ts'
import { waitingCallsOf } from '../../session/waiting-calls.ts'
import { storedText } from '../database/stored-text.ts'
import { inOrganisation, type Sql } from '../database/tenant.ts'
import type { OrganisationParts } from '../people/organisation-parts.ts'
import { newPolicy } from '../policies/policy.ts'
import { policyNotFound, policyRows, policyView, readPolicy } from '../policies/policy-rows.ts'
import type { Inbox, QuestionView } from './approval.ts'
import { notFound, parseId } from './approvals.ts'
import { heldRule } from './held-rule.ts'
import { notifiedOf } from './notified.ts'
import { findQuestion, type StoredQuestion } from './question-rows.ts'
import { storePolicy } from './set-policy.ts'
import { type SyncParts, syncQuestions } from './sync-questions.ts'
import { storedVotes, votesView } from './votes.ts'

export interface InboxParts extends Pick<OrganisationParts, 'app' | 'org' | 'principal' | 'audited'> {
  readonly sync: SyncParts
  readonly records: Pick<Records, 'grants'>
  /** Whether the operator has configured a mail server. */
  readonly mails: boolean
}

const assertPolicy = compileAssertion(newPolicy)

export const POLICY_NAME = /^[a-z0-9][a-z0-9-]{0,62}$/

/** The inbox of an organisation. */
export function inboxOf({ app, org, principal, audited, sync, records, mails }: InboxParts): Inbox {
  const act = <T>(work: (sql: Sql) => Promise<T>) => inOrganisation(app, org, work)
  const hintOf = async (question: StoredQuestion) => {
    if (question.closed_at !== null || question.settings === undefined) return {}
    const { run_id, call_id } = question.view
    const waiting = await waitingCallsOf(sync.records, await sync.records.runs.read(run_id))
    const one = waiting.find(({ call }) => call.id === call_id)
    return defined({ hint: one && (await heldRule(records, question, one)) })
  }
  return {
    policies: ({ limit = PAGE_LIMIT, cursor }) =>
      act(async (sql) => {
        const [place, name] =
          cursor === undefined ? ['-1', ''] : (readKeyCursor(cursor, 2) as [string, string])
        const left = (await policyRows(sql, org)).filter(
          (row) => row.place > Number(place) || (row.place === Number(place) && row.name > name),
        )
        return pageOfRows(left.slice(0, limit + 1), limit, policyView, (row) => [String(row.place), row.name])
      }),

    setPolicy: (name, policy) =>
      act(async (sql) => {
        if (!POLICY_NAME.test(name)) throw nameInvalid()
        assertPolicy(policy)
        await storePolicy(sql, { org, name, policy, by: principal.user, mails })
        // Addresses are personal data, which the audit log keeps for ever.
        const { notify: _notify, escalate, ...settings } = policy
        await audited(sql, 'approval_policy.set', {
          policy: name,
          ...settings,
          ...(escalate !== undefined && { escalate_after_seconds: escalate.after_seconds }),
        })
        return readPolicy(sql, org, name)
      }),

    removePolicy: (name) =>
      act(async (sql) => {
        const { rowCount } = await sql.query(
          'DELETE FROM waybill.approval_policies WHERE org = $1 AND name = $2',
          [org, storedText(name)],
        )
        if (rowCount === 0) throw policyNotFound(name)
        await audited(sql, 'approval_policy.removed', { policy: name })
      }),

    async question(id) {
      const found = () =>
        act(async (sql) => {
          const question = await findQuestion(sql, org, id)
          return question && { ...(await questionView(sql, question)), ...(await hintOf(question)) }
        })
      const known = await found()
      if (known !== undefined) return known
      await syncQuestions(sync, parseId(id).run_id)
      const opened = await found()
      if (opened === undefined) throw notFound(id)
      return opened
    },
  }
}

async function questionView(sql: Sql, question: StoredQuestion): Promise<QuestionView> {
  const { view, settings, starters, opened_at, closed_at, closed_by } = question
  const { policy, outcome, remind_at, escalate_at, expires_at } = question
  return {
    ...view,
    state: closed_at === null ? 'open' : 'closed',
    opened_at: opened_at.toISOString(),
    closed_at: timeText(closed_at),
    outcome,
    closed_by: closed_by === null ? null : (JSON.parse(closed_by) as string),
    policy,
    votes: votesView(question, await storedVotes(sql, question)),
    excluded: settings?.starter_may_decide === false ? starters : [],
    remind_at: timeText(remind_at),
    escalate_at: timeText(escalate_at),
    expires_at: timeText(expires_at),
    notified: await notifiedOf(sql, question),
  }
}

function timeText(time: Date | null): string | null {
  return time?.toISOString() ?? null
}

function nameInvalid(): WaybillError {
  return new WaybillError('REQUEST_INVALID', {
    fault: 'usage',
    message: 'the name of an approval policy has lower-case letters, digits and `-`, at most 63',
    hint: 'such as `payments` or `all-writes`',
  })
}
