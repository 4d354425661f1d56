import type { Program } from '../../plan/plan.ts'
import { countsText, type PiiCount } from '../../policy/pii/clean-json.ts'
import type { Decision, Fact } from '../event.ts'
import type { RunEnd, RunState, RunWarning } from '../state.ts'
import { BACKGROUND } from './background.ts'
import { isKnownWarning } from './is-known-warning.ts'
import { mergeDecisions } from './merge-decisions.ts'
import { nextQuestion } from './next-question.ts'

export function rejectsPii({ plan }: Program): boolean {
  return plan.pii?.handling === 'reject'
}

export function piiRefusal(what: string, counts: readonly PiiCount[]): RunEnd {
  return {
    status: 'refused',
    stop_reason: 'constraint',
    error: {
      code: 'PII_REJECTED',
      message: `${what} holds personal data: ${countsText(counts)}`,
      pointer: '/agent/compliance/pii_handling',
      rule: 'AAIF-4.9-07',
      hint: 'leave it out, or let the agent anonymize or encrypt it (compliance.pii_handling)',
    },
  }
}

/**
 * Returns the text that replaces a tool's answer for the model, with the reason. The call itself was made.
 */
export function withheldResult(counts: readonly PiiCount[]): string {
  return `PII_REJECTED: the tool answered, and its answer was withheld because it holds personal data: ${countsText(counts)}`
}

/**
 * Lets the model repair an answer with personal data once; an answer with personal data is never accepted.
 */
export function rejectedAnswer(
  program: Program,
  state: RunState,
  counts: readonly PiiCount[],
  at: number,
): Decision {
  const strict = program.plan.safety_level === 'strict' || program.plan.safety_level === 'regulated'
  if (!strict && state.repairs === 0) {
    const next = nextQuestion(program, state, at)
    if (next.end === undefined) {
      const kinds = [...new Set(counts.map(({ kind }) => kind))].join(', ')
      const repair = `Your answer holds personal data (${kinds}), which must not be in it. Answer again without it.`
      return mergeDecisions({ repair }, next)
    }
  }
  return { end: piiRefusal('the answer', counts) }
}

/** Warns once for each subject about personal data that was found, or about placeholders that replace it. */
export function piiWarning(program: Program, state: RunState, fact: Fact): RunWarning | null {
  const counts = 'pii' in fact ? fact.pii : undefined
  if (counts === undefined) return null
  const warning = warningOf(program, fact, counts)
  return isKnownWarning(state, warning) ? null : warning
}

function warningOf(program: Program, fact: Fact, counts: readonly PiiCount[]): RunWarning {
  const subject = subjectOf(fact)
  const about = { subject, counts: counts.map(({ kind, count, at }) => ({ kind, count, at })) }
  switch (program.plan.pii?.handling) {
    case 'anonymize':
      return {
        code: 'PII_ANONYMIZED',
        message: 'placeholders stand for personal data; `waybill pii reveal RUN` shows what they stand for',
      }
    case 'encrypt':
      return {
        code: 'PII_ENCRYPTED',
        message: 'personal data is encrypted; `waybill pii reveal RUN` shows it if the key is set',
      }
    case 'reject':
      return {
        code: 'PII_WITHHELD',
        message: `personal data was withheld in ${SUBJECTS[subject]}: ${countsText(counts)}`,
        about,
      }
    default:
      return {
        code: 'PII_DETECTED',
        message: `${SUBJECTS[subject]} holds personal data: ${countsText(counts)}`,
        about,
      }
  }
}

/** The places where personal data may be found, each with its name in messages. */
const SUBJECTS = {
  input: 'the input',
  background: 'a fetched text',
  answer: "the model's answer",
  result: "a tool's answer",
  decision: "a person's decision",
  message: 'a message',
} as const

function subjectOf(fact: Fact): keyof typeof SUBJECTS {
  switch (fact.type) {
    case 'run.started':
    case 'user.steered':
      return 'input'
    case 'user.said':
      return fact.pii?.every(({ at }) => at.startsWith(BACKGROUND)) === true ? 'background' : 'input'
    case 'model.answered':
    case 'run.paused':
      return 'answer'
    case 'call.answered':
    case 'call.failed':
      return 'result'
    case 'person.decided':
      return 'decision'
    default:
      return 'message'
  }
}
