import type { Program } from '../../plan/plan.ts'
import { countsText } from '../../policy/pii/clean-json.ts'
import type { Decision, Fact, FactOf } from '../event.ts'
import type { RunState, RunWarning } from '../state.ts'
import { withRequest } from '../totals.ts'
import { rejectsPii } from './gate-pii.ts'
import { mergeDecisions } from './merge-decisions.ts'
import { nextQuestion } from './next-question.ts'
import { laterDeadline } from './resumed.ts'

/**
 * Takes in a message of the user to the turn in progress. It waits for the next question to the model, and changes
 * neither open questions to people nor calls in flight. A message that the input's rules refuse gives a warning.
 * @returns null if there is no turn that can take it in, or if it was taken in before
 */
export function userSteered(
  program: Program,
  state: RunState,
  fact: FactOf<'user.steered'>,
  at: number,
): Decision | null {
  const { message } = fact
  if (state.seq === 0 || state.end !== null || isTakenIn(state, message)) return null
  if (message !== undefined && state.steering.some((other) => other.message === message)) return null
  const refused = refusalOf(program, fact)
  return mergeDecisions(
    laterDeadline(state, fact, at),
    refused === null ? { steer: true } : { warnings: [refused] },
  )
}

/** Returns true if a message is in the conversation already, or was refused. */
export function isTakenIn({ received }: RunState, message: string | undefined): boolean {
  return message !== undefined && received.some((id) => id === message)
}

function refusalOf(program: Program, { input, fits, pii }: FactOf<'user.steered'>): RunWarning | null {
  if (pii !== undefined && rejectsPii(program)) {
    const message = `a message to the turn was refused, because it holds personal data: ${countsText(pii)}`
    return { code: 'PII_REJECTED', message }
  }
  const breach = fits === true ? null : (program.checkInput?.(input) ?? null)
  if (breach === null) return null
  return {
    code: 'INPUT_INVALID',
    message: `a message to the turn was refused, because it does not match io.input_schema: ${breach}`,
  }
}

/**
 * Asks the agent's own model again instead of ending with its answer, if the user has sent a message to the turn since
 * its question. At a limit of the run the answer is kept, and the message waits for the next turn.
 */
export function answerSteering(
  program: Program,
  state: RunState,
  fact: Fact,
  decision: Decision,
  at: number,
): Decision {
  const { end, ...rest } = decision
  if (end?.status !== 'completed' || state.steering.length === 0 || state.ending !== null) return decision
  // Only an answer of the agent's own model can answer the message, not the choice among the answers of workers.
  if (state.choice !== undefined || !isFromModel(fact)) return decision
  const iteration = fact.type === 'model.answered' ? state.iteration + 1 : state.iteration
  const totals = withRequest(state.totals, fact, decision.cost_usd)
  const next = nextQuestion(program, { ...state, iteration, totals }, at)
  return next.end === undefined ? mergeDecisions(rest, next) : decision
}

function isFromModel(fact: Fact): fact is FactOf<'model.answered' | 'judge.answered' | 'judge.failed'> {
  return fact.type === 'model.answered' || fact.type === 'judge.answered' || fact.type === 'judge.failed'
}
