import type pg from 'pg'
import type { EntryMaker } from '../../trust/audit-chain.ts'
import { storedText } from '../database/stored-text.ts'
import { inOrganisation } from '../database/tenant.ts'
import { appendAudit } from '../records/audit-chain-rows.ts'
import { periodOf, renewalOf, type SpendingBudget, type Spent } from './spending.ts'

export interface BudgetsParts {
  readonly app: pg.Pool
  readonly org: string
  /** Who changes them. */
  readonly user: string
  readonly nextEntry: EntryMaker
}

/** The budgets of an organisation, which it reads and replaces as a whole. */
export function budgetsOf({ app, org, user, nextEntry }: BudgetsParts): Budgets {
  return {
    async read() {
      const now = new Date()
      return inOrganisation(app, org, async (sql) => {
        const { rows } = await sql.query<{ budgets: readonly SpendingBudget[] | null }>(
          `SELECT limits->'budgets' AS budgets FROM waybill.organisations WHERE org = $1`,
          [org],
        )
        const budgets = rows[0]?.budgets ?? []
        const { rows: spent } = await sql.query<Spent & { i: number }>(
          `SELECT b.i::int AS i, s.tokens, s.usd, s.calls
           FROM unnest($2::text[], $3::text[], $4::text[]) WITH ORDINALITY AS b (kind, subject, period, i)
           JOIN waybill.spending AS s
             ON s.org = $1 AND s.kind = b.kind AND s.subject = b.subject AND s.period = b.period`,
          [
            org,
            budgets.map(({ kind }) => kind),
            budgets.map(({ subject }) => storedText(subject ?? '')),
            budgets.map(({ per }) => periodOf(per, now)),
          ],
        )
        const used = new Map(spent.map(({ i, ...amounts }) => [i - 1, amounts]))
        return budgets.map((budget, index) => viewOf(budget, used.get(index), now))
      })
    },

    async replace(budgets) {
      await inOrganisation(app, org, async (sql) => {
        await sql.query(
          `UPDATE waybill.organisations SET limits = jsonb_set(limits, '{budgets}', $2::jsonb) WHERE org = $1`,
          [org, JSON.stringify(budgets)],
        )
        const at = new Date().toISOString()
        await appendAudit(sql, org, nextEntry, [
          { at, kind: 'budgets.changed', by: user, budgets: budgets.map((budget) => ({ ...budget })) },
        ])
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

export interface BudgetView extends SpendingBudget {
  /** What ended runs have used in this period; absent if the budget applies to each subject separately. */
  readonly spent?: { readonly tokens: number; readonly usd: number; readonly calls: number }
  /** RFC 3339 */
  readonly renews_at: string
}

export interface Budgets {
  read(): Promise<readonly BudgetView[]>
  /** Replaces all budgets. Runs that have started keep their limits. */
  replace(budgets: readonly SpendingBudget[]): Promise<readonly BudgetView[]>
}
