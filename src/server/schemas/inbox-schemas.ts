import { answer, id, integer, list, moment, namesOf, oneOf, request, ruled, text } from '../../http/schema.ts'
import { MAIL_ADDRESS } from '../../platform/people/names.ts'
import type { Schema } from '../../spec/schema-builder.ts'
import { approvalMembers, requiredApproval } from './approval-schemas.ts'

/** A year. */
const LONGEST_SECONDS = 31_536_000

const seconds = (description: string): Schema => integer(description, 1, LONGEST_SECONDS)

const names = (description: string, of: Schema = id('A name.')): Schema =>
  list(of, { maxItems: 100, uniqueItems: true, description })

const address: Schema = {
  type: 'string',
  pattern: MAIL_ADDRESS,
  maxLength: 254,
  description: 'A mail address.',
}

const notify = (description: string): Schema => ({
  ...ruled(
    request({
      mail: names('Mail addresses.', address),
      teams: names('Teams: their members who have a mail address.'),
      members: names('Members, at their mail addresses.'),
      webhooks: names('Ids of webhooks, whatever events they want.'),
    }),
    'The receivers can be reached: members have an address, and the operator has configured a mail server.',
  ),
  description,
})

const settings = {
  order: integer('Of the policies that match, that with the lowest number applies; default 100.', 0, 100_000),
  match: {
    ...request({
      agent_id: id('The agent that asks.'),
      tool: id('The tool; `*` is any text.'),
    }),
    description: 'The questions that it applies to; default: all.',
  },
  notify: notify('Who is notified when a question opens, and by reminders.'),
  remind_after_seconds: ruled(seconds('When the first reminder is sent.'), 'Before the question expires.'),
  remind_every_seconds: integer(
    'The time between further reminders, at least a minute; default: there is one.',
    60,
    LONGEST_SECONDS,
  ),
  escalate: request(
    {
      after_seconds: ruled(seconds('When.'), 'Before the question expires.'),
      notify: notify('Who is notified then.'),
    },
    ['after_seconds', 'notify'],
  ),
  expire: request(
    {
      after_seconds: seconds('When.'),
      verdict: oneOf(
        ['deny', 'none'],
        '`deny`: the call is denied. `none` (default): the question stays open.',
      ),
    },
    ['after_seconds'],
  ),
  approvals_needed: integer('How many people must agree; default 1. One denial decides.', 1, 10),
  starter_may_decide: {
    type: 'boolean',
    description: 'Whether people may decide who have caused the call; default true.',
  },
}

export const newPolicy: Schema = {
  ...request(settings),
  dependentRequired: { remind_every_seconds: ['remind_after_seconds'] },
}

export const policyView = answer(
  'An approval policy.',
  {
    name: text('Its name.'),
    ...settings,
    changed_at: moment('When it was set.'),
    changed_by: text('Who has set it.'),
  },
  ['name', 'order', 'match', 'notify', 'approvals_needed', 'starter_may_decide', 'changed_at', 'changed_by'],
)

const orNull = (schema: Schema): Schema => ({ ...schema, type: ['string', 'null'] })

const history = {
  state: oneOf(['open', 'closed'], 'Whether it waits for a decision.'),
  opened_at: moment('When it was opened.'),
  closed_at: orNull(moment('When it was closed.')),
  outcome: orNull(text('The verdict, or `ended` if the run continued or ended without one.')),
  closed_by: orNull(text('Who has decided.')),
  policy: orNull(text('The policy that applied when it opened.')),
  excluded: list(text('A user who may not decide.')),
  remind_at: orNull(moment('The next reminder.')),
  escalate_at: orNull(moment('The escalation.')),
  expires_at: orNull(moment('Its end.')),
  notified: list(
    answer('A message to one receiver.', {
      to: text('A mail address, or `webhook ID`.'),
      slot: text('`opened`, `reminded 1` and so on, `escalated` or `expired`.'),
      at: moment('The last attempt; before the first: when it was stored.'),
      state: oneOf(['pending', 'sent', 'failed', 'dropped'], '`dropped`: the question was closed first.'),
      attempts: integer('How often it was sent.', 0),
      error: orNull(text('Why the last attempt failed, as a code.')),
    }),
  ),
}

export const questionView = answer('A question with its history.', { ...approvalMembers, ...history }, [
  ...requiredApproval,
  ...namesOf(history),
  'votes',
])
