import type { Decision, Fact, FactOf, RunEvent } from '../event.ts'
import { decodeEvent } from './event-line.ts'

/**
 * The version of a run's record that this Waybill writes. It increases when an older version would misread the
 * record.
 */
export const RECORD_VERSION = 1

/** By the version of a record: turns one of its lines into a line of the next version. */
export const upcast: Readonly<Record<number, (line: string) => string>> = {}

/**
 * Parses a line of a record of any version up to this one; a line of a later version as far as possible.
 * @throws SyntaxError, TypeError if it is not a line of a record
 */
export function readLine(line: string, v: number): RunEvent {
  let text = line
  for (let from = v; from < RECORD_VERSION; from++) text = upcast[from]?.(text) ?? text
  const event = decodeEvent(text)
  if (typeof event.fact.type !== 'string' || typeof event.decision !== 'object' || event.decision === null)
    throw new TypeError('it has no type or no decision')
  return event
}

/**
 * Names a part of an event that this version does not know, so that no run is resumed whose record is only partly
 * understood.
 * @returns undefined if everything is known
 */
export function unknownIn({ seq, fact, decision }: RunEvent): string | undefined {
  if (!Object.hasOwn(FACTS, fact.type)) return `event ${seq} has the type ${fact.type}`
  const known: Readonly<Record<string, true>> = FACTS[fact.type]
  for (const member of Object.keys(fact)) {
    if (member !== 'type' && !Object.hasOwn(known, member))
      return `event ${seq} (${fact.type}) has the member ${member}`
  }
  for (const member of Object.keys(decision)) {
    if (!Object.hasOwn(DECISION, member)) return `event ${seq} has the decision ${member}`
  }
  return undefined
}

type MembersOf<T> = Readonly<Record<keyof T, true>>

/** The compiler rejects this table if a member of a decision is missing in it. */
const DECISION: MembersOf<Required<Decision>> = {
  deadline_at: true,
  deadline_of: true,
  recall: true,
  remember: true,
  recalled: true,
  attempt: true,
  calls: true,
  set: true,
  shares: true,
  reused: true,
  judged: true,
  closed: true,
  steer: true,
  add: true,
  replace: true,
  done: true,
  settle: true,
  clear: true,
  say: true,
  stage: true,
  choice: true,
  review: true,
  breaches: true,
  handed_off: true,
  cancel: true,
  repair: true,
  down: true,
  left: true,
  stopped: true,
  cost_usd: true,
  warnings: true,
  abort: true,
  end: true,
  ending: true,
}

/** The same for facts. */
const FACTS: { readonly [T in Fact['type']]: MembersOf<Required<Omit<FactOf<T>, 'type'>>> } = {
  'run.started': {
    input: true,
    limits: true,
    depth: true,
    named: true,
    triggered: true,
    withheld: true,
    copied: true,
    history: true,
    memory: true,
    sent_by_origin: true,
    denied: true,
    trace_parent: true,
    trace_state: true,
    fits: true,
    pii: true,
  },
  'user.said': { input: true, background: true, fits: true, pii: true, message: true, triggered: true },
  'user.steered': { input: true, fits: true, pii: true, message: true },
  'turn.interrupted': { by: true, how: true, message: true },
  'memory.read': { turn: true, items: true, warnings: true, latency_ms: true, pii: true },
  'model.answered': {
    attempt: true,
    message: true,
    finish: true,
    usage: true,
    warnings: true,
    latency_ms: true,
    pii: true,
  },
  'model.failed': {
    attempt: true,
    kind: true,
    code: true,
    message: true,
    hint: true,
    unsent: true,
    usage: true,
    retry_after_ms: true,
    latency_ms: true,
    pii: true,
  },
  'call.answered': {
    call_id: true,
    result: true,
    latency_ms: true,
    usage: true,
    denied: true,
    fits: true,
    pii: true,
  },
  'call.failed': {
    call_id: true,
    code: true,
    message: true,
    outcome: true,
    latency_ms: true,
    usage: true,
    denied: true,
    pii: true,
  },
  'call.asked': { call_id: true, questions: true, request_state: true, latency_ms: true, pii: true },
  'call.held': { call_id: true },
  'person.decided': {
    call_id: true,
    verdict: true,
    arguments: true,
    answers: true,
    fits: true,
    result: true,
    by: true,
    why: true,
    grant: true,
    pii: true,
  },
  'judge.answered': { review: true, breaches: true, usage: true, latency_ms: true, pii: true },
  'judge.failed': { review: true, message: true, unsent: true, usage: true, latency_ms: true, pii: true },
  'hook.ran': { hook: true, ok: true, message: true, call_id: true, latency_ms: true, pii: true },
  'approval.lapsed': { call_id: true },
  'deadline.passed': {},
  'drain.passed': {},
  'run.paused': { by: true, partial: true, calls: true, pii: true },
  'run.resumed': { by: true },
  'run.cancelled': { by: true },
  'record.copied': { generation: true, announced: true },
  'messages.restored': { messages: true, times: true, pii: true },
  'run.restored': { by: true, from: true, state: true, receipts: true, pii: true },
}
