import {
  answer,
  integer,
  kinds,
  list,
  moment,
  type ObjectOf,
  ONE_LINE,
  oneOf,
  request,
  ruled,
  type SchemaOf,
  type Typed,
  text,
  typed,
  wellFormed,
} from '../../http/schema.ts'
import type { Schema } from '../../spec/schema-builder.ts'

/** The largest number of budgets of an organisation: each is read when a run starts. */
const MAX_BUDGETS = 100

const amounts = {
  tokens: integer('The largest number of tokens in a period.', 1, Number.MAX_SAFE_INTEGER),
  usd: typed<number>({
    type: 'number',
    exclusiveMinimum: 0,
    description: 'The highest cost in a period, in US dollars.',
  }),
  calls: integer('The largest number of calls of models and tools in a period.', 1, Number.MAX_SAFE_INTEGER),
}

const subjectOf = (what: string): SchemaOf<string> =>
  wellFormed(
    text(`The ${what}; absent: each one separately.`, { minLength: 1, maxLength: 512, pattern: ONE_LINE }),
  )

const KIND = 'Whose runs it limits.'

const BUDGET = {
  kind: oneOf(['organisation', 'user', 'agent'], KIND),
  subject: subjectOf('user or the agent_id'),
  per: oneOf(['day', 'month'], 'The period, in UTC.'),
  ...amounts,
}

/** A budget without an amount would limit nothing. */
const LIMITS: Schema = { anyOf: Object.keys(amounts).map((name) => ({ required: [name] })) }

/**
 * What an organisation may spend. All budgets that apply to a run limit it. A budget of kind `user` or `agent` without a
 * subject applies to each user or agent separately. Periods are days and months in UTC.
 */
export type SpendingBudget = ObjectOf<typeof BUDGET, 'kind' | 'per'>

const budget = typed<SpendingBudget>(
  ruled(
    kinds(
      'kind',
      KIND,
      {
        organisation: { title: 'OrganisationBudget', more: LIMITS },
        user: { title: 'UserBudget', properties: { subject: subjectOf('user') }, more: LIMITS },
        agent: { title: 'AgentBudget', properties: { subject: subjectOf('agent_id') }, more: LIMITS },
      },
      { per: BUDGET.per, ...amounts },
      ['per'],
    ),
    'There is one budget for each kind, subject and period.',
  ),
)

export const newBudgets = request({ budgets: list(budget, { maxItems: MAX_BUDGETS, uniqueItems: true }) }, [
  'budgets',
])

const budgetView = answer(
  'A budget.',
  {
    ...BUDGET,
    spent: answer('What ended runs have used in this period; absent if the budget applies to each subject.', {
      tokens: integer('Tokens.', 0),
      usd: typed<number>({ type: 'number', minimum: 0, description: 'Cost in US dollars.' }),
      calls: integer('Calls of models and tools.', 0),
    }),
    renews_at: moment('When the next period begins.'),
  },
  ['kind', 'per', 'renews_at'],
)
export type BudgetView = Typed<typeof budgetView>

export const budgetsView = answer(
  'All budgets of the organisation. Each run is limited by those that apply to it.',
  { budgets: list(budgetView) },
)

/** The budgets of an organisation, which it reads and replaces as a whole. Changes are audited. */
export interface Budgets {
  read(): Promise<Typed<typeof budgetsView>>
  /**
   * Replaces all budgets. Runs that have started keep their limits.
   * @throws REQUEST_INVALID also for two budgets of one kind, subject and period
   */
  replace(request: Typed<typeof newBudgets>): Promise<Typed<typeof budgetsView>>
}
