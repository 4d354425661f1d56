import type { Json } from '../../document/json.ts'
import type { PlannedConstraint, Program } from '../../plan/plan.ts'
import { holdsWholeAnswers } from '../../plan/plan-constraints.ts'
import { breachOfAnswer, redactAnswer } from '../../policy/constraints/check-answer.ts'
import type { Decision, JudgedBreach } from '../event.ts'
import type { RunState, RunWarning } from '../state.ts'
import { budgetReached } from './budget.ts'
import { mergeDecisions } from './merge-decisions.ts'
import { nextQuestion } from './next-question.ts'
import { readOutput } from './read-output.ts'

/**
 * Checks every answer before anything outside the run sees it (AAIF §3, §12): first the rules, then the
 * judge.
 */
export function gateAnswer(
  program: Program,
  state: RunState,
  text: string,
  output: Json,
  at: number,
): Decision {
  const breaches = program.plan.constraints.flatMap((constraint): JudgedBreach[] => {
    const why = constraint.rule === undefined ? null : breachOfAnswer(constraint.rule, text)
    return why === null ? [] : [{ constraint: constraint.text, why }]
  })
  if (breaches.length > 0) return breached(program, state, text, breaches, at)
  if (!needsJudge(program)) return passed(output)
  const over = budgetReached(program, state)
  return over === null ? { review: { n: state.reviews + 1, subject: 'answer', text } } : { end: over }
}

/** Handles the judge's review of an answer. */
export function answerJudged(
  program: Program,
  state: RunState,
  text: string,
  breaches: readonly JudgedBreach[],
  at: number,
): Decision {
  const judged: Decision = { review: null }
  if (breaches.length > 0) return mergeDecisions(judged, breached(program, state, text, breaches, at))
  const read = readOutput(program, text)
  return mergeDecisions(judged, passed(read.ok ? read.output : text))
}

export function needsJudge({ plan }: Pick<Program, 'plan'>): boolean {
  return plan.judge !== undefined && plan.constraints.some(({ enforcement }) => enforcement === 'judge')
}

/**
 * Returns true if an answer must be held back until it has passed; then no text of it is shown while it is
 * generated.
 */
export function holdsAnswers(program: Pick<Program, 'plan'>): boolean {
  return program.plan.constraints.some(holdsWholeAnswers)
}

function passed(output: Json): Decision {
  return { end: { status: 'completed', stop_reason: 'final', output } }
}

/**
 * Handles a breach by level. Minimal: redacts and warns. Standard: lets the model repair once, then redacts.
 * Above: blocks.
 */
function breached(
  program: Program,
  state: RunState,
  text: string,
  breaches: readonly JudgedBreach[],
  at: number,
): Decision {
  const level = program.plan.safety_level
  if (level === 'standard' && state.repairs === 0) {
    const next = nextQuestion(program, state, at)
    if (next.end === undefined) {
      const list = breaches.map(({ constraint, why }) => `- ${constraint} (${why})`).join('\n')
      const repair = `Your answer breaks these rules:\n${list}\nAnswer again so that it keeps them.`
      return mergeDecisions({ breaches, repair }, next)
    }
  }
  if (level === 'minimal' || level === 'standard') {
    const redacted = redact(program, text, breaches)
    const read = redacted === null ? null : readOutput(program, redacted)
    if (read?.ok === true) {
      const warnings = breaches.map(
        ({ constraint, why }): RunWarning => ({
          code: 'CONSTRAINT_REDACTED',
          message: `the answer broke ${JSON.stringify(constraint)} (${why}) and was redacted`,
        }),
      )
      return mergeDecisions({ breaches, warnings }, passed(read.output))
    }
  }
  return { breaches, end: blocked(breaches) }
}

export function blocked(breaches: readonly JudgedBreach[]): NonNullable<Decision['end']> {
  const list = breaches.map(({ constraint, why }) => `${JSON.stringify(constraint)} (${why})`).join('; ')
  return {
    status: 'refused',
    stop_reason: 'constraint',
    error: {
      code: 'CONSTRAINT_BREACHED',
      message: `the answer was withheld because it breaks ${list}`,
      pointer: '/agent/constraints',
      rule: 'AAIF-3-02',
      hint: 'the record holds the text of the model; change the constraint, or the instructions that lead there',
    },
  }
}

/** Returns the text without the breaches, or null if a breach cannot be removed from it. */
function redact(program: Program, text: string, breaches: readonly JudgedBreach[]): string | null {
  let redacted = text
  for (const { constraint } of breaches) {
    const rule = ruleOf(program.plan.constraints, constraint)
    const next = rule === undefined ? null : redactAnswer(rule, redacted)
    if (next === null) return null
    redacted = next
  }
  // Removing one breach can create another.
  const still = program.plan.constraints.some(
    ({ rule }) => rule !== undefined && breachOfAnswer(rule, redacted) !== null,
  )
  return still ? null : redacted
}

function ruleOf(constraints: readonly PlannedConstraint[], text: string) {
  return constraints.find((constraint) => constraint.text === text)?.rule
}
