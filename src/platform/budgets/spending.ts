import type pg from 'pg'
import { WaybillError } from '../../document/issue.ts'
import type { RunLimits, RunTotals } from '../../run/state.ts'
import { sql } from '../database/sql.ts'
import { storedText } from '../database/stored-text.ts'
import { inOrganisation, type Sql } from '../database/tenant.ts'
import type { SpendingBudget } from './budget.ts'

/** Who pays for a run. */
export interface Payer {
  readonly org: string
  readonly agent_id: string
  readonly user?: string
}

/** What the budgets leave to a run that starts now. */
export interface Allowance {
  /** For the first fact of the run. */
  readonly limits: Pick<RunLimits, 'tokens' | 'usd' | 'calls'>
  /** The tightest whole budget of money: with one, a route of unknown price must not be planned. */
  readonly usd?: number
}

const AMOUNTS = ['tokens', 'usd', 'calls'] as const

export type Spent = Readonly<Record<(typeof AMOUNTS)[number], number>>

/**
 * Returns what the budgets of an organisation leave to a run. Runs that start at the same time get the same rest, so
 * together they may exceed a budget by what each of them spends.
 * @throws BUDGET_EXHAUSTED with the budget, and when it renews
 */
export async function allowanceOf(on: Sql, payer: Payer, now: Date): Promise<Allowance> {
  const { org } = payer
  const { rows: found } = await on.query<{ budgets: readonly SpendingBudget[] | null }>(
    `SELECT limits->'budgets' AS budgets FROM waybill.organisations WHERE org = $1`,
    [org],
  )
  const budgets = (found[0]?.budgets ?? []).flatMap((budget) => {
    const subject = subjectOf(budget, payer)
    return subject === undefined ? [] : [{ budget, subject, period: periodOf(budget.per, now) }]
  })
  if (budgets.length === 0) return { limits: {} }
  const kinds = budgets.map(({ budget }) => budget.kind)
  const subjects = budgets.map(({ subject }) => subject)
  const periods = budgets.map(({ period }) => period)
  const { rows } = await on.query<Spent & { kind: string; subject: string; period: string }>(
    sql`SELECT s.kind, s.subject, s.period, s.tokens, s.usd, s.calls FROM waybill.spending AS s
        JOIN unnest(${kinds}::text[], ${subjects}::text[], ${periods}::text[]) AS b (kind, subject, period)
          ON s.kind = b.kind AND s.subject = b.subject AND s.period = b.period
        WHERE s.org = ${org}`,
  )
  const limits: { tokens?: number; usd?: number; calls?: number } = {}
  let usd = Number.POSITIVE_INFINITY
  for (const { budget, subject, period } of budgets) {
    const spent = rows.find(
      (row) => row.kind === budget.kind && row.subject === subject && row.period === period,
    )
    for (const amount of AMOUNTS) {
      const limit = budget[amount]
      if (limit === undefined) continue
      const left = limit - (spent?.[amount] ?? 0)
      if (left <= 0) throw exhausted(budget, payer, amount, now)
      limits[amount] = Math.min(left, limits[amount] ?? left)
    }
    usd = Math.min(usd, budget.usd ?? usd)
  }
  return Number.isFinite(usd) ? { limits, usd } : { limits }
}

/**
 * Adds what a run has used since it was last counted, if its end has not been counted yet. The end of a run is noted in
 * the transaction that records it; counting removes the note. So each use counts once, whichever process counts, and
 * also if the run is taken over or gets further turns.
 * @param used of the run when it had so many events: if a later turn has ended meanwhile, that end remains to be counted
 * @returns whether something was counted
 */
export async function countRun(
  pool: pg.Pool,
  { org, agent_id, user }: Payer,
  runId: string,
  { totals, seq }: { readonly totals: RunTotals; readonly seq: number },
  now: Date,
): Promise<boolean> {
  return inOrganisation(pool, org, async (on) => {
    const { rows } = await on.query<Spent>(
      `SELECT tokens, usd, calls FROM waybill.counted WHERE org = $1 AND run_id = $2 AND due FOR UPDATE`,
      [org, runId],
    )
    const [before] = rows
    if (before === undefined) return false
    const used: Spent = {
      tokens: totals.input_tokens + totals.output_tokens,
      // A part of unknown price is not known to be free; what was known before stays counted.
      usd: totals.cost_usd ?? before.usd,
      calls: totals.llm_calls + totals.tool_calls,
    }
    const counted = (amount: keyof Spent) => Math.max(used[amount], before[amount])
    const more = (amount: keyof Spent) => Math.max(0, used[amount] - before[amount])
    await on.query(
      sql`UPDATE waybill.counted SET tokens = ${counted('tokens')}, usd = ${counted('usd')}, calls = ${counted('calls')},
            due = EXISTS (SELECT FROM waybill.progress AS p WHERE p.org = ${org} AND p.run_id = ${runId} AND p.seq > ${seq}
              AND p.status NOT IN ('running', 'waiting', 'paused'))
          WHERE org = ${org} AND run_id = ${runId}`,
    )
    const subjects = [
      ['organisation', ''],
      ['agent', storedText(agent_id)],
      ...(user === undefined ? [] : [['user', storedText(user)]]),
    ]
    const rowsOf = subjects.flatMap(([kind, subject]) =>
      (['day', 'month'] as const).map((per) => [kind, subject, periodOf(per, now)]),
    )
    // In one order, so that two counts cannot wait for each other.
    const kinds = rowsOf.map(([kind]) => kind)
    const names = rowsOf.map(([, subject]) => subject)
    const periods = rowsOf.map(([, , period]) => period)
    await on.query(
      sql`INSERT INTO waybill.spending AS s (org, kind, subject, period, tokens, usd, calls)
          SELECT ${org}, kind, subject, period, ${more('tokens')}, ${more('usd')}, ${more('calls')}
          FROM unnest(${kinds}::text[], ${names}::text[], ${periods}::text[]) AS b (kind, subject, period)
          ORDER BY kind, subject, period
          ON CONFLICT (org, kind, subject, period) DO UPDATE
            SET tokens = s.tokens + excluded.tokens, usd = s.usd + excluded.usd, calls = s.calls + excluded.calls`,
    )
    return true
  })
}

/** A run whose end was recorded and is not counted yet. */
export interface Uncounted extends Payer {
  readonly run_id: string
}

/** Returns runs that have ended and are not counted, oldest first: their process may have died before it counted. */
export async function uncountedRuns(engine: pg.Pool, most = 500): Promise<readonly Uncounted[]> {
  const { rows } = await engine.query<Omit<Uncounted, 'user'> & { readonly user_id: string | null }>({
    name: 'uncounted-runs',
    text: `SELECT c.org, c.run_id, r.agent_id, r.user_id FROM waybill.counted AS c
      JOIN waybill.runs AS r ON r.org = c.org AND r.run_id = c.run_id WHERE c.due ORDER BY c.since LIMIT $1`,
    values: [most],
  })
  return rows.map(({ user_id, ...run }) => (user_id === null ? run : { ...run, user: user_id }))
}

function subjectOf({ kind, subject }: SpendingBudget, { agent_id, user }: Payer): string | undefined {
  if (kind === 'organisation') return ''
  const own = kind === 'user' ? user : agent_id
  if (own === undefined || (subject !== undefined && subject !== own)) return undefined
  return storedText(own)
}

/** Names the period of a moment. */
export function periodOf(per: SpendingBudget['per'], now: Date): string {
  return now.toISOString().slice(0, per === 'day' ? 10 : 7)
}

/** Returns when the next period begins. */
export function renewalOf(per: SpendingBudget['per'], now: Date): string {
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  return new Date(per === 'day' ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1)).toISOString()
}

function exhausted(
  budget: SpendingBudget,
  { agent_id, user }: Payer,
  amount: (typeof AMOUNTS)[number],
  now: Date,
): WaybillError {
  const { kind, per } = budget
  const whose =
    kind === 'organisation' ? 'the organisation' : kind === 'user' ? `user ${user}` : `agent ${agent_id}`
  return new WaybillError('BUDGET_EXHAUSTED', {
    message: `the budget of ${whose} for this ${per} is used up: ${amount}=${budget[amount]}; it renews at ${renewalOf(per, now)}`,
    hint: 'wait until it renews, or let an administrator raise it with PUT /v1/budgets',
  })
}
