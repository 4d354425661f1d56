import { oneOf, type Schema } from '../../spec/schema-builder.ts'
import { answer, integer, list, moment, request } from './building.ts'

/** The largest number of budgets of an organisation: each is read when a run starts. */
const MAX_BUDGETS = 100

const amounts: Readonly<Record<string, Schema>> = {
  tokens: integer('The largest number of tokens in a period.', 1, Number.MAX_SAFE_INTEGER),
  usd: { type: 'number', exclusiveMinimum: 0, description: 'The highest cost in a period, in US dollars.' },
  calls: integer('The largest number of calls of models and tools in a period.', 1, Number.MAX_SAFE_INTEGER),
}

const members: Readonly<Record<string, Schema>> = {
  kind: oneOf(['organisation', 'user', 'agent'], 'Whose runs it limits.'),
  subject: {
    type: 'string',
    minLength: 1,
    maxLength: 512,
    // An unpaired surrogate cannot be stored.
    pattern: '^[^\\u0000-\\u001F\\u007F\\uD800-\\uDFFF]*$',
    description:
      'The user or the agent_id; absent: each user or each agent separately. Not with the kind organisation.',
  },
  per: oneOf(['day', 'month'], 'The period, in UTC.'),
  ...amounts,
}

const budget: Schema = request(members, ['kind', 'per'])

export const newBudgets: Schema = request({ budgets: list(budget, { maxItems: MAX_BUDGETS }) }, ['budgets'])

export const budgetsView: Schema = answer(
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
