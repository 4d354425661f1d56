import type { Program } from '../plan/plan.ts'
import { tightest } from './agent-call.ts'
import type { Decision, Fact } from './event.ts'
import { failed } from './run-end.ts'
import type { RouteFailure, RunState } from './state.ts'

/** A route that was given up is not asked again for this long, unless nothing else is left. */
const DOWN_MS = 60_000
/** A provider that wants a longer pause than this is left for the next route, when there is one. */
const LONGEST_WAIT_MS = 30_000

/** Asks the model again, or ends the run at one of its limits. */
export function nextQuestion(program: Program, state: RunState, at: number): Decision {
  const end = limitReached(program, state)
  if (end !== null) return { end }
  const route = nextRoute(program, state, [], at)
  if (route === null) return { end: noRoute(program, []) }
  return { attempt: { n: state.attempts + 1, route, retry: 0, delay_ms: 0, failed: [] } }
}

function limitReached(program: Program, state: RunState) {
  const { limits: own } = program.plan
  const { totals } = state
  const limits = {
    max_iterations: own.max_iterations,
    budget_tokens: tightest(own.budget_tokens, state.limits.tokens),
    budget_usd: tightest(own.budget_usd, state.limits.usd),
    budget_calls: tightest(own.budget_calls, state.limits.calls),
  }
  if (state.iteration >= limits.max_iterations) {
    return failed(
      'max_iterations',
      'MAX_ITERATIONS_EXCEEDED',
      `stopped after ${limits.max_iterations} iterations`,
      {
        pointer: '/agent/orchestration/max_iterations',
        rule: 'AAIF-4.3-09',
        hint: 'raise orchestration.max_iterations when the agent really needs more steps',
      },
    )
  }
  const tokens = totals.input_tokens + totals.output_tokens
  const calls = totals.llm_calls + totals.tool_calls
  const over =
    limits.budget_tokens !== undefined && tokens >= limits.budget_tokens
      ? `tokens=${limits.budget_tokens} (used ${tokens})`
      : limits.budget_usd !== undefined && totals.cost_usd !== null && totals.cost_usd >= limits.budget_usd
        ? `usd=${limits.budget_usd} (used ${totals.cost_usd.toFixed(6)})`
        : limits.budget_calls !== undefined && calls >= limits.budget_calls
          ? `calls=${limits.budget_calls} (used ${calls})`
          : null
  return over === null
    ? null
    : failed('budget', 'BUDGET_EXCEEDED', `the budget is used up: ${over}`, { hint: 'raise --budget' })
}

/** The first usable route in declared order (AAIF §4.2 steps 1 and 2); routes that were given up lately come last. */
function nextRoute(
  program: Program,
  state: RunState,
  tried: readonly RouteFailure[],
  at: number,
): number | null {
  let last: number | null = null
  for (const [index, route] of program.plan.models.entries()) {
    if (!route.eligible || tried.some((failure) => failure.route === index)) continue
    if ((state.down[index] ?? 0) <= at) return index
    last ??= index
  }
  return last
}

/** After a failure: the same route again, the next one, or the end with the reasons of all. */
export function retryOrNextRoute(
  program: Program,
  state: RunState,
  fact: Extract<Fact, { type: 'model.failed' }>,
  at: number,
): Decision {
  const attempt = state.attempt
  if (attempt === null) return {}
  const { retry } = program.plan
  const n = state.attempts + 1
  const tried = [...attempt.failed, { route: attempt.route, code: fact.code, message: fact.message }]
  const next = nextRoute(program, state, tried, at)
  const transient =
    fact.kind === 'unavailable' ||
    fact.kind === 'rate_limited' ||
    fact.kind === 'timeout' ||
    fact.kind === 'malformed'
  const wait = fact.retry_after_ms ?? backoff(program, attempt.retry)
  const tooLong = wait > LONGEST_WAIT_MS || (state.deadline_at !== null && at + wait >= state.deadline_at)
  if (transient && attempt.retry < retry.max_retries && !(tooLong && next !== null)) {
    return { attempt: { ...attempt, n, retry: attempt.retry + 1, delay_ms: wait } }
  }
  const left: RouteFailure = { route: attempt.route, code: fact.code, message: fact.message }
  // A request that one model refuses says nothing about the route's health.
  const down =
    fact.kind === 'request'
      ? {}
      : {
          down: {
            route: attempt.route,
            until: fact.kind === 'route' ? Number.MAX_SAFE_INTEGER : at + DOWN_MS,
          },
        }
  if (next === null) return { left, ...down, end: noRoute(program, tried) }
  return { left, ...down, attempt: { n, route: next, retry: 0, delay_ms: 0, failed: tried } }
}

function backoff(program: Program, retry: number): number {
  const { backoff: shape, base_ms } = program.plan.retry
  switch (shape) {
    case 'fixed':
      return base_ms
    case 'linear':
      return base_ms * (retry + 1)
    case 'exponential':
      return base_ms * 2 ** retry
  }
}

/** One error that lists every route with its reason (AAIF §4.2). */
function noRoute(program: Program, tried: readonly RouteFailure[]) {
  const { models } = program.plan
  const reasons = models.map((route, index) => {
    const failure = tried.find((entry) => entry.route === index)
    const reason =
      failure === undefined ? (route.reason ?? 'not eligible') : `${failure.code}: ${failure.message}`
    return `${route.provider_id ?? route.provider}/${route.model}: ${reason}`
  })
  const [only] = tried
  const code = only !== undefined && models.length === 1 ? only.code : 'NO_ROUTE'
  const message =
    models.length === 0
      ? 'the definition names no model'
      : tried.length === 0
        ? `no model can be used: ${reasons.join('; ')}`
        : `no model answered: ${reasons.join('; ')}`
  return failed('no_route', code, message, {
    pointer: '/agent/model',
    rule: 'AAIF-4.2-11',
    hint: 'see `waybill plan` for what each route needs; --model PROVIDER/MODEL tries another, --rehearse needs none',
  })
}
