import {
  answer,
  integer,
  kinds,
  list,
  moment,
  ONE_LINE,
  oneOf,
  request,
  ruled,
  wellFormed,
} from '../../http/schema.ts'
import type { Schema } from '../../spec/schema-builder.ts'

/** The largest number of budgets of an organisation: each is read when a run starts. */
const MAX_BUDGETS = 100

const amounts = {
  tokens: integer('The largest number of tokens in a period.', 1, Number.MAX_SAFE_INTEGER),
  usd: { type: 'number', exclusiveMinimum: 0, description: 'The highest cost in a period, in US dollars.' },
  calls: integer('The largest number of calls of models and tools in a period.', 1, Number.MAX_SAFE_INTEGER),
}

const subjectOf = (what: string): Schema =>
  wellFormed({
    type: 'string',
    minLength: 1,
    maxLength: 512,
    pattern: ONE_LINE,
    description: `The ${what}; absent: each one separately.`,
  })

const KIND = 'Whose runs it limits.'

const per = oneOf(['day', 'month'], 'The period, in UTC.')

/** A budget without an amount would limit nothing. */
const LIMITS: Schema = { anyOf: Object.keys(amounts).map((name) => ({ required: [name] })) }

const budget = ruled(
  kinds(
    'kind',
    KIND,
    {
      organisation: { title: 'OrganisationBudget', more: LIMITS },
      user: { title: 'UserBudget', properties: { subject: subjectOf('user') }, more: LIMITS },
      agent: { title: 'AgentBudget', properties: { subject: subjectOf('agent_id') }, more: LIMITS },
    },
    { per, ...amounts },
    ['per'],
  ),
  'There is one budget for each kind, subject and period.',
)

export const newBudgets = request({ budgets: list(budget, { maxItems: MAX_BUDGETS, uniqueItems: true }) }, [
  'budgets',
])

const members = {
  kind: oneOf(['organisation', 'user', 'agent'], KIND),
  subject: subjectOf('user or the agent_id'),
  per,
  ...amounts,
}

export const budgetsView = answer(
  'All budgets of the organisation. Each run is limited by those that apply to it.',
  {
    budgets: list(
      answer(
        'A budget.',
        {
          ...members,
          spent: answer(
            'What ended runs have used in this period; absent if the budget applies to each subject.',
            {
              tokens: integer('Tokens.', 0),
              usd: { type: 'number', minimum: 0, description: 'Cost in US dollars.' },
              calls: integer('Calls of models and tools.', 0),
            },
          ),
          renews_at: moment('When the next period begins.'),
        },
        ['kind', 'per', 'renews_at'],
      ),
    ),
  },
)
