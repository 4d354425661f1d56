import { defined } from '../../document/defined.ts'
import type { Program } from '../../plan/plan.ts'
import { refusalError } from '../../plan/refusal-error.ts'
import type { Decision, FactOf } from '../event.ts'
import type { CallEntry, RunState } from '../state.ts'
import { BACKGROUND, withBackground } from './background.ts'
import { deadlineOfTurn } from './deadline.ts'
import { piiRefusal, rejectsPii } from './gate-pii.ts'
import { mergeDecisions } from './merge-decisions.ts'
import { beginOrchestration } from './orchestrate.ts'
import { firstQuestion } from './recall.ts'
import { firstItems } from './remember.ts'
import { failed } from './run-end.ts'
import { isTakenIn } from './steer-turn.ts'

/** Begins the first turn, with the memory items that the run's own record holds. */
export function beginRun(
  program: Program,
  state: RunState,
  fact: FactOf<'run.started'>,
  at: number,
): Decision {
  const memory = firstItems(program, fact, at)
  const begun = { ...state, limits: fact.limits ?? {}, depth: fact.depth ?? 0, memory }
  const warnings = fact.memory?.warnings ?? []
  return mergeDecisions(
    { ...(memory.length > 0 && { remember: memory }), ...(warnings.length > 0 && { warnings }) },
    beginTurn(program, begun, fact, at),
  )
}

function beginTurn(
  program: Program,
  state: RunState,
  { input, fits, pii }: FactOf<'run.started' | 'user.said'>,
  at: number,
): Decision {
  const { plan } = program
  const refused = refusalError(plan.refusals)
  if (refused !== null) return { end: { status: 'refused', stop_reason: 'constraint', error: refused } }
  // Ignore findings in refetched context: the user did not write that text, and the data is removed from it.
  const found = pii?.filter(({ at: place }) => !place.startsWith(BACKGROUND)) ?? []
  if (found.length > 0 && rejectsPii(program)) return { end: piiRefusal('the input', found) }
  const breach = fits === true ? null : (program.checkInput?.(input) ?? null)
  // The output of a test double does not show what the real agent would pass on.
  const fromDouble = plan.rehearsal && state.depth > 0
  if (breach !== null && !fromDouble) {
    return {
      end: {
        status: 'refused',
        stop_reason: 'error',
        error: {
          code: 'INPUT_INVALID',
          message: `the input does not match io.input_schema: ${breach}`,
          pointer: '/agent/io/input_schema',
          hint: 'give the input as JSON that matches the schema, e.g. --input @input.json',
          rule: 'SPEC-D-30',
        },
      },
    }
  }
  if (state.depth > plan.limits.max_iterations) {
    const message = `sub-agents call one another ${state.depth} deep, more than max_iterations allows`
    return { end: failed('max_iterations', 'MAX_ITERATIONS_EXCEEDED', message, { rule: 'AAIF-4.3-09' }) }
  }
  const { deadline_at, deadline_of } = deadlineOfTurn(plan.limits, state, at)
  const turn: RunState = {
    ...state,
    deadline_at,
    ...defined({ deadline_of }),
    input,
    iteration: 0,
    turn: state.turn + 1,
    stage: null,
    handed_off: [],
  }
  const first = beginOrchestration(program, turn, at) ?? firstQuestion(program, turn, at)
  return mergeDecisions({ deadline_at, ...defined({ deadline_of }) }, first)
}

/**
 * Begins another turn of a conversation whose last turn has ended.
 * @returns null if the conversation was refused, or if the message was taken in before
 */
export function beginNextTurn(
  program: Program,
  state: RunState,
  fact: FactOf<'user.said'>,
  at: number,
): Decision | null {
  if (isTakenIn(state, fact.message)) return null
  // Personal data in one input refuses that turn only, not the conversation.
  if (state.end?.status === 'refused' && state.end.error?.code !== 'PII_REJECTED') return null
  // Providers refuse a conversation with calls that have no result, such as those of an interrupted turn.
  const open = state.calls.length > 0
  const calls = state.calls.map(
    (call): CallEntry =>
      call.status === 'done'
        ? call
        : { ...call, status: 'done', error: true, result: 'not finished: the turn had ended' },
  )
  const turn = beginTurn(program, state, fact, at)
  return mergeDecisions(open ? { calls, settle: true } : {}, withBackground(turn, fact.background))
}
