import { routeName } from '../../plan/order-routes.ts'
import type { Plan, Program } from '../../plan/plan.ts'
import type { Decision, FactOf } from '../event.ts'
import { FINISHES } from '../finish.ts'
import type { ModelAttempt, RunEnd, RunState, RunWarning } from '../state.ts'
import { withRequest } from '../totals.ts'
import { standsInFor } from './choose-route.ts'
import { ownChoice } from './consensus.ts'
import { CUT_PLACE, closedCalls, dropCalls } from './drop-calls.ts'
import { gateAnswer } from './gate-answer.ts'
import { rejectedAnswer, rejectsPii } from './gate-pii.ts'
import { handOffOr } from './hand-off.ts'
import { isKnownWarning } from './is-known-warning.ts'
import { mergeDecisions } from './merge-decisions.ts'
import { nextQuestion } from './next-question.ts'
import { openRound } from './open-round.ts'
import { readOutput } from './read-output.ts'
import { costOf } from './request-cost.ts'
import { failed } from './run-end.ts'

/**
 * Handles a model's answer: it opens a round of calls, fires a hand-off, or ends the run.
 * @returns null if the answer belongs to an older attempt, or if the run is paused
 */
export function modelAnswered(
  program: Program,
  state: RunState,
  fact: FactOf<'model.answered'>,
  at: number,
): Decision | null {
  const { attempt } = state
  // A paused run sends the request again when it resumes.
  if (attempt?.n !== fact.attempt || state.status === 'paused') return null
  const route = program.plan.models[attempt.route]
  const cost_usd = costOf(route, fact.usage)
  const warnings = [
    ...(fact.warnings ?? [])
      .filter((message) => !hasProviderWarning(state, message))
      .map((message): RunWarning => ({ code: 'MODEL_WARNING', message })),
    ...substitution(program.plan, state, attempt),
  ]
  const base: Decision = { cost_usd, ...(warnings.length > 0 && { warnings }) }
  const after: RunState = {
    ...state,
    iteration: state.iteration + 1,
    totals: withRequest(state.totals, fact, cost_usd),
  }
  return mergeDecisions(base, afterAnswer(program, after, fact, at))
}

function afterAnswer(
  program: Program,
  state: RunState,
  fact: FactOf<'model.answered'>,
  at: number,
): Decision {
  const { calls, text } = FINISHES[fact.finish]
  if (text === 'withheld' || text === 'failed')
    return mergeDecisions(closedCalls(state, fact), { end: withheld(fact) })
  if (fact.message.calls.length > 0)
    return calls === 'made'
      ? openRound(program, state, fact.message.calls, at)
      : dropCalls(program, state, fact, at)
  if (fact.pii !== undefined && rejectsPii(program)) return rejectedAnswer(program, state, fact.pii, at)
  // The number of an answer may be cut, too.
  if (state.choice !== undefined)
    return ownChoice(program, state, state.choice, text === 'cut' ? '' : fact.message.text, at)
  return handOffOr(program, state, fact.message.text, () => finish(program, state, fact, at))
}

/** Returns the end of a run whose answer the provider, or the model, withheld. The record holds the text. */
function withheld({ finish: reason, message }: FactOf<'model.answered'>): RunEnd {
  if (reason === 'refusal') {
    const words = message.text.trim().slice(0, LONGEST_QUOTE)
    const said = words === '' ? '' : `: ${words}`
    return failed('error', 'MODEL_REFUSED', `the model refused to answer${said}`, WITHHELD)
  }
  const part = message.text === '' ? '' : '; the text that came before is in the record'
  return reason === 'error'
    ? failed('error', 'MODEL_ANSWER_BROKEN', 'the provider ended the answer with an error')
    : failed(
        'error',
        'CONTENT_FILTERED',
        `the provider's content filter withheld the answer${part}`,
        WITHHELD,
      )
}

const WITHHELD = { hint: 'change the input, the instructions of the agent, or the model' } as const

/** Characters of a refusal in an error message. */
const LONGEST_QUOTE = 500

/** Returns true if the run has already given this warning of the provider. The text is the provider's own. */
function hasProviderWarning({ warnings }: RunState, text: string): boolean {
  return warnings.some(({ code, message }) => code === 'MODEL_WARNING' && message === text)
}

/** Returns a warning that names a substitute model, once for each pair of models (AAIF §3). */
function substitution(plan: Plan, state: RunState, attempt: ModelAttempt): readonly RunWarning[] {
  const model = plan.models[attempt.route]
  const missed = standsInFor(plan, attempt.route, attempt.failed, attempt.skipped ?? [])
  if (model === undefined || missed === null) return []
  const name = routeName(model)
  const warning: RunWarning = {
    code: 'MODEL_SUBSTITUTED',
    message: `${name} answers in place of ${missed.model}: ${missed.reason}`,
    about: { model: name, replaces: missed.model },
  }
  return isKnownWarning(state, warning) ? [] : [warning]
}

function finish(program: Program, state: RunState, fact: FactOf<'model.answered'>, at: number): Decision {
  const { text } = fact.message
  const { text: part } = FINISHES[fact.finish]
  if (part === 'cut' && text === '') {
    const message = 'the answer was cut off at the token limit before its first word'
    return { end: failed('error', 'MODEL_ANSWER_CUT', message, CUT_PLACE) }
  }
  const read = readOutput(program, text)
  if (read.ok) {
    const gated = gateAnswer(program, state, text, read.output, at)
    const warning = part === 'cut' ? CUT : part === 'unsure' ? UNSURE : null
    return warning === null ? gated : mergeDecisions({ warnings: [warning] }, gated)
  }
  if (state.repairs > 0) {
    return {
      end: failed('error', 'OUTPUT_INVALID', `the answer is not what the agent promises: ${read.breach}`, {
        pointer: '/agent/io/output_schema',
        rule: 'SPEC-D-30',
        hint: 'the model was asked to repair it once and failed again; see the events of the run',
      }),
    }
  }
  const next = nextQuestion(program, state, at)
  if (next.end !== undefined) return next
  const why =
    part === 'cut' ? `${read.breach}\nIt was cut off at the token limit, so it must be shorter.` : read.breach
  return mergeDecisions({ repair: `${why}\nAnswer again, with the corrected answer only.` }, next)
}

const CUT: RunWarning = {
  code: 'OUTPUT_TRUNCATED',
  message: 'the answer was cut off at the token limit (params.max_tokens)',
}

const UNSURE: RunWarning = {
  code: 'MODEL_FINISH_UNKNOWN',
  message: 'the provider gave no known reason for the end of the answer, which may be incomplete',
}
