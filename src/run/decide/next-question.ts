import type { AnyCode } from '../../document/codes.ts'
import { defined } from '../../document/defined.ts'
import type { ErrorPart } from '../../document/issue.ts'
import { routeName } from '../../plan/order-routes.ts'
import type { Plan, Program } from '../../plan/plan.ts'
import { routeHint } from '../../policy/route-hint.ts'
import { addedMessages, countedAfter } from '../added-messages.ts'
import type { Decision, Fact, FactOf } from '../event.ts'
import type { RouteSight } from '../ports.ts'
import type { ModelAttempt, RouteFailure, RouteSkip, RunEnd, RunState } from '../state.ts'
import { withRequest } from '../totals.ts'
import { budgetReached } from './budget.ts'
import { chooseRoute, type RouteChoice } from './choose-route.ts'
import { continuation, continuationOf } from './continue-answer.ts'
import { mergeDecisions } from './merge-decisions.ts'
import { promptLength } from './prompt-tokens.ts'
import { costOf } from './request-cost.ts'
import { BREAK_AFTER } from './route-history.ts'
import { failed } from './run-end.ts'

/** For how long a route that failed for good is not asked again, unless no other route is left. */
const DOWN_MS = 60_000
/** If a provider demands a longer pause than this, the next route is used, if there is one. */
const LONGEST_WAIT_MS = 30_000
/** If a provider demands a longer pause than this, and there is no other route, the run ends instead of waiting. */
const LONGEST_PAUSE_MS = 300_000

/** The readings that the driver takes for each fact: the time, and the observations of the routes. */
export interface Moment {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly sights?: readonly RouteSight[] | undefined
}

/**
 * Sends the next request to a model, over the route that the plan and the run's state prefer, or ends the run
 * at one of its limits.
 */
export function nextQuestion(program: Program, state: RunState, at: number): Decision {
  const end = limitReached(program, state)
  if (end !== null) return { end }
  const choice = chooseRoute(program.plan, { down: state.down, tried: [], length: null, at })
  return choice.route === null
    ? { end: noRoute(program, [], choice.skipped) }
    : { attempt: attemptOver(choice.route, choice, state.attempts + 1, []) }
}

/**
 * Chooses the final route for a new model request. Unlike `nextQuestion` it has the observations of the
 * routes, and the messages that the decision itself adds: a context window may be too small for them.
 */
export function withRoute(
  program: Program,
  state: RunState,
  fact: Fact,
  decision: Decision,
  { at, sights }: Moment,
): Decision {
  const { attempt } = decision
  if (attempt === undefined || attempt.retry > 0 || attempt.failed.length > 0) return decision
  const { plan } = program
  if (sights === undefined && !hasWindows(plan)) return decision
  const { continues } = attempt
  const interrupted = continues === true ? continuation(state.partial ?? '') : []
  const added = [...addedMessages(state, fact, decision), ...interrupted]
  const choice = chooseRoute(plan, {
    down: state.down,
    tried: [],
    length: promptLength(program, state, countedAfter(state, fact), added),
    at,
    sights,
  })
  const { attempt: _replaced, ...others } = decision
  if (choice.route !== null)
    return mergeDecisions(others, { attempt: attemptOver(choice.route, choice, attempt.n, [], continues) })
  if (continues !== true) return mergeDecisions(others, { end: noRoute(program, [], choice.skipped) })
  // Without the interrupted answer, the question may fit a context window.
  const { continues: _dropped, ...anew } = attempt
  return withRoute(program, state, fact, mergeDecisions(others, { attempt: anew }), { at, sights })
}

function hasWindows({ models }: Plan): boolean {
  return models.some(({ eligible, context_window }) => eligible && context_window !== undefined)
}

function attemptOver(
  route: number,
  { why, skipped, prompt_tokens }: RouteChoice,
  n: number,
  failed: readonly RouteFailure[],
  continues?: true,
): ModelAttempt {
  return {
    n,
    route,
    retry: 0,
    delay_ms: 0,
    ...defined({ continues }),
    failed,
    ...defined({ why }),
    ...(skipped.length > 0 && { skipped }),
    ...defined({ prompt_tokens }),
  }
}

function limitReached(program: Program, state: RunState): RunEnd | null {
  const { max_iterations } = program.plan.limits
  if (state.iteration < max_iterations) return budgetReached(program, state)
  return failed('max_iterations', 'MAX_ITERATIONS_EXCEEDED', `stopped after ${max_iterations} iterations`, {
    pointer: '/agent/orchestration/max_iterations',
    rule: 'AAIF-4.3-09',
    hint: 'raise orchestration.max_iterations when the agent really needs more steps',
  })
}

/** Retries the same route after a failure, or takes the next one, or ends the run with the failures of all routes. */
export function retryOrNextRoute(
  program: Program,
  state: RunState,
  fact: FactOf<'model.failed'>,
  { at, sights }: Moment,
): Decision {
  const attempt = state.attempt
  if (attempt === null) return {}
  const { plan } = program
  const { retry } = plan
  const n = state.attempts + 1
  const { code, hint, retry_after_ms: demanded = 0 } = fact
  const tooLongToWait = demanded > LONGEST_PAUSE_MS
  const pause = `; it demands a pause of ${Math.ceil(demanded / 1000)} s, and a run waits for at most ${LONGEST_PAUSE_MS / 1000} s`
  const message = tooLongToWait ? fact.message + pause : fact.message
  const left: RouteFailure = { route: attempt.route, code, message, ...defined({ hint }) }
  const tried = [...attempt.failed, left]
  const cost_usd = fact.usage === undefined ? undefined : costOf(plan.models[attempt.route], fact.usage)
  const after = { ...state, totals: withRequest(state.totals, fact, cost_usd) }
  const over = budgetReached(program, after, left)
  // A model that has nothing to add to an interrupted answer, or cannot read the question, is asked again.
  const continues = fact.kind === 'malformed' || fact.kind === 'request' ? undefined : attempt.continues
  const length = promptLength(program, state, state.counted, continues ? continuationOf(state) : [])
  const next = chooseRoute(plan, { down: state.down, tried, length, at, sights })
  const transient =
    fact.kind === 'unavailable' ||
    fact.kind === 'rate_limited' ||
    fact.kind === 'timeout' ||
    fact.kind === 'malformed'
  const wait = fact.retry_after_ms ?? backoff(program, attempt.retry)
  const tooLong = wait > LONGEST_WAIT_MS || (state.deadline_at !== null && at + wait >= state.deadline_at)
  // Do not retry a failed probe of a route that is already marked as failing.
  const dead = attempt.retry === 0 && (sights?.[attempt.route]?.failures ?? 0) > BREAK_AFTER
  const waits = transient && attempt.retry < retry.max_retries && !tooLongToWait
  if (waits && !((tooLong || dead) && next.route !== null)) {
    if (over !== null) return { ...defined({ cost_usd }), left, end: over }
    return { ...defined({ cost_usd }), attempt: repeated(attempt, n, at, wait, continues) }
  }
  // A route that refuses one request may still work for others, so it is not marked as down.
  const until = fact.kind === 'route' ? Number.MAX_SAFE_INTEGER : at + Math.max(DOWN_MS, demanded)
  const end = next.route === null ? noRoute(program, tried, next.skipped) : over
  return {
    ...defined({ cost_usd }),
    left,
    ...(fact.kind !== 'request' && { down: { route: attempt.route, until } }),
    ...(end !== null && { end }),
    ...(end === null &&
      next.route !== null && { attempt: attemptOver(next.route, next, n, tried, continues) }),
  }
}

/** Returns the same question, to be sent after a wait. */
function repeated(
  { continues: _before, ...attempt }: ModelAttempt,
  n: number,
  at: number,
  wait: number,
  continues: true | undefined,
): ModelAttempt {
  const retry = attempt.retry + 1
  return { ...attempt, n, retry, delay_ms: wait, due_at: at + wait, ...defined({ continues }) }
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

/**
 * Returns the end with the failure of the only route, or with one error that lists every route with its reason
 * (AAIF §4.2).
 */
function noRoute(program: Program, tried: readonly RouteFailure[], skipped: readonly RouteSkip[]) {
  const { models } = program.plan
  const reasons = models.map((route, index): RouteReason => {
    const failure = tried.find((entry) => entry.route === index)
    const passed = skipped.find((entry) => entry.route === index)
    if (failure !== undefined) {
      const { code, message, hint } = failure
      return { code, message, text: `${code}: ${message}`, hint }
    }
    const message = passed?.reason ?? route.reason ?? 'not eligible'
    const text = `${routeName(route)} cannot be used: ${message}`
    return { code: route.reason_code, message: text, text: message, hint: route.hint }
  })
  const [first] = reasons
  const only = models.length === 1 ? first : undefined
  const list = () => reasons.map(({ text }, index) => `${routeNameAt(program, index)}: ${text}`).join('; ')
  const message =
    models.length === 0
      ? 'the definition names no model'
      : (only?.message ?? `no model ${tried.length === 0 ? 'can be used' : 'answered'}: ${list()}`)
  const hint = first?.hint ?? routeHint('MODEL_UNNAMED', UNNAMED)
  const details = reasons.map(
    (reason, index): ErrorPart => ({
      code: reason.code ?? 'NO_ROUTE',
      message: reason.message,
      route: routeNameAt(program, index),
      ...defined({ hint: reason.hint }),
    }),
  )
  return failed('no_route', (tried.length > 0 && only?.code) || 'NO_ROUTE', message, {
    pointer: '/agent/model',
    rule: 'AAIF-4.2-11',
    hint: only === undefined && models.length > 0 ? `${hint}; \`waybill plan\` shows every model` : hint,
    ...(details.length > 0 && { details }),
  })
}

/** Why a route gave no answer: alone in an error, and in the list of several. */
interface RouteReason {
  readonly code?: AnyCode | undefined
  readonly message: string
  readonly text: string
  readonly hint?: string | undefined
}

const UNNAMED = { provider: 'custom', model: '' }

function routeNameAt({ plan }: Program, index: number): string {
  const route = plan.models[index]
  return route === undefined ? '' : routeName(route)
}
