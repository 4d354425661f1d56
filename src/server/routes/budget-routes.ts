import { WaybillError } from '../../document/issue.ts'
import { ADMINS, READERS, type Route } from '../../http/route.ts'
import type { SpendingBudget } from '../../platform/budgets/spending.ts'
import type { Tenant } from '../../platform/platform.ts'
import { budgetsView, newBudgets } from '../schemas/budget-schemas.ts'

/** What an organisation, its users and its agents may spend in a day or a month. */
export const BUDGET_ROUTES: readonly Route<Tenant>[] = [
  {
    method: 'GET',
    path: '/v1/budgets',
    name: 'readBudgets',
    summary: 'Returns the budgets of the organisation, and what is spent.',
    tag: 'budgets',
    access: READERS,
    answers: { 200: { description: 'The budgets.', schema: budgetsView } },
    handle: async ({ tenant }) => ({ status: 200, json: { budgets: await tenant.budgets.read() } }),
  },
  {
    method: 'PUT',
    path: '/v1/budgets',
    name: 'replaceBudgets',
    summary: 'Replaces all budgets of the organisation. Runs that have started keep their limits.',
    tag: 'budgets',
    access: ADMINS,
    body: { kind: 'json', schema: newBudgets },
    answers: { 200: { description: 'The budgets.', schema: budgetsView } },
    async handle({ tenant, body }) {
      const { budgets } = body as unknown as { readonly budgets: readonly SpendingBudget[] }
      assertPlain(budgets)
      return { status: 200, json: { budgets: await tenant.budgets.replace(budgets) } }
    },
  },
]

/** @throws REQUEST_INVALID for two budgets of one subject and period: no JSON Schema says it */
function assertPlain(budgets: readonly SpendingBudget[]): void {
  const seen = new Map<string, number>()
  for (const [index, { kind, subject, per }] of budgets.entries()) {
    const name = JSON.stringify([kind, subject, per])
    const first = seen.get(name)
    if (first !== undefined)
      throw new WaybillError('REQUEST_INVALID', {
        at: `/budgets/${index}`,
        message: `budgets ${first} and ${index} have the same kind, subject and period`,
        hint: 'give tokens, usd and calls in one budget',
      })
    seen.set(name, index)
  }
}
