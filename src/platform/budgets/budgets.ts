import { WaybillError } from '../../document/issue.ts'
import { compileAssertion } from '../../http/schema-check.ts'
import { sql } from '../database/sql.ts'
import { storedText } from '../database/stored-text.ts'
import { inOrganisation, type Sql } from '../database/tenant.ts'
import type { OrganisationParts } from '../people/organisation-parts.ts'
import { type Budgets, type BudgetView, newBudgets, type SpendingBudget } from './budget.ts'
import { periodOf, renewalOf, type Spent } from './spending.ts'

const assertNewBudgets = compileAssertion(newBudgets)

export function budgetsOf({ app, org, audited }: Omit<OrganisationParts, 'principal'>): Budgets {
  const act = <T>(work: (on: Sql) => Promise<T>) => inOrganisation(app, org, work)
  return {
    async read() {
      const now = new Date()
      return act(async (on) => {
        const { rows } = await on.query<{ budgets: readonly SpendingBudget[] | null }>(
          sql`SELECT limits->'budgets' AS budgets FROM waybill.organisations WHERE org = ${org}`,
        )
        const budgets = rows[0]?.budgets ?? []
        const kinds = budgets.map(({ kind }) => kind)
        const subjects = budgets.map(({ subject }) => storedText(subject ?? ''))
        const periods = budgets.map(({ per }) => periodOf(per, now))
        const { rows: spent } = await on.query<Spent & { i: number }>(
          sql`SELECT b.i::int AS i, s.tokens, s.usd, s.calls
              FROM unnest(${kinds}::text[], ${subjects}::text[], ${periods}::text[])
                WITH ORDINALITY AS b (kind, subject, period, i)
              JOIN waybill.spending AS s
                ON s.org = ${org} AND s.kind = b.kind AND s.subject = b.subject AND s.period = b.period`,
        )
        const used = new Map(spent.map(({ i, ...amounts }) => [i - 1, amounts]))
        return { budgets: budgets.map((budget, index) => viewOf(budget, used.get(index), now)) }
      })
    },

    async replace(request) {
      assertNewBudgets(request)
      const { budgets } = request
      assertDistinct(budgets)
      await act(async (on) => {
        await on.query(
          sql`UPDATE waybill.organisations SET limits = jsonb_set(limits, '{budgets}', ${JSON.stringify(budgets)}::jsonb)
              WHERE org = ${org}`,
        )
        await audited(on, 'budgets.changed', { budgets: budgets.map((budget) => ({ ...budget })) })
      })
      return this.read()
    },
  }
}

/** A budget for each user or agent separately has no sum of its own. */
function viewOf(budget: SpendingBudget, used: Spent | undefined, now: Date): BudgetView {
  const isOne = budget.kind === 'organisation' || budget.subject !== undefined
  const spent = { tokens: used?.tokens ?? 0, usd: used?.usd ?? 0, calls: used?.calls ?? 0 }
  return { ...budget, ...(isOne && { spent }), renews_at: renewalOf(budget.per, now) }
}

/** @throws REQUEST_INVALID for two budgets of one subject and period: no JSON Schema says it */
function assertDistinct(budgets: readonly SpendingBudget[]): void {
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
