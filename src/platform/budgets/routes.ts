import { ADMINS, READERS, routesOf } from '../../http/route.ts'
import { type Budgets, budgetsView, newBudgets } from './budget.ts'

const route = routesOf<{ readonly budgets: Budgets }>()

const readBudgets = route({
  method: 'GET',
  path: '/v1/budgets',
  name: 'readBudgets',
  summary: 'Returns the budgets of the organisation, and what is spent.',
  tag: 'budgets',
  access: READERS,
  answers: { 200: { description: 'The budgets.', schema: budgetsView } },
  handle: async ({ tenant }) => ({ status: 200, json: await tenant.budgets.read() }),
})

const replaceBudgets = route({
  method: 'PUT',
  path: '/v1/budgets',
  name: 'replaceBudgets',
  summary: 'Replaces all budgets of the organisation. Runs that have started keep their limits.',
  tag: 'budgets',
  access: ADMINS,
  body: { kind: 'json', schema: newBudgets },
  answers: { 200: { description: 'The budgets.', schema: budgetsView } },
  handle: async ({ tenant, body }) => ({ status: 200, json: await tenant.budgets.replace(body) }),
})

export const BUDGET_ROUTES = [readBudgets, replaceBudgets]
