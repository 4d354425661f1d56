import type { Feature, Opened } from '../feature.ts'
import type { Budgets } from './budget.ts'
import { budgetsOf } from './budgets.ts'
import { BUDGET_ROUTES } from './routes.ts'
import { BUDGET_TABLES } from './tables.ts'

export const BUDGETS = {
  name: 'budgets',
  tables: BUDGET_TABLES,
  members: { budgets: (opened: Opened): Budgets => budgetsOf(opened) },
  tags: { budgets: 'What an organisation, its users and its agents may spend in a day or a month.' },
  routes: BUDGET_ROUTES,
} satisfies Feature<unknown, { readonly budgets: Budgets }>
