import {
  also,
  answer,
  flag,
  id,
  integer,
  list,
  MAIL_ADDRESS,
  moment,
  oneOf,
  request,
  ruled,
  type SchemaOf,
  type Typed,
  text,
} from '../../http/schema.ts'

/** A year. */
const LONGEST_SECONDS = 31_536_000

const seconds = (description: string) => integer(description, 1, LONGEST_SECONDS)

const names = (description: string, of: SchemaOf<string> = id('A name.')) =>
  list(of, { maxItems: 100, uniqueItems: true, description })

const address = text('A mail address.', { pattern: MAIL_ADDRESS, maxLength: 254 })

const notified = request({
  mail: names('Mail addresses.', address),
  teams: names('Teams: their members who have a mail address.'),
  members: names('Members, at their mail addresses.'),
  webhooks: names('Ids of webhooks, whatever events they want.'),
})

/** Who is notified of a question. */
export type Notify = Typed<typeof notified>

const notify = (description: string) => ({
  ...ruled(
    notified,
    'The receivers can be reached: members have an address, and the operator has configured a mail server.',
  ),
  description,
})

/** What becomes of the questions that match. Times are seconds after a question has opened. */
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
  starter_may_decide: flag('Whether people may decide who have caused the call; default true.'),
}

export const newPolicy = also(request(settings), {
  dependentRequired: { remind_every_seconds: ['remind_after_seconds'] },
})
export type NewPolicy = Typed<typeof newPolicy>

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
export type PolicyView = Typed<typeof policyView>
