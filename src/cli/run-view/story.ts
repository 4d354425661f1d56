import type { Plan } from '../../plan/plan.ts'
import type { FactOf, RunEvent } from '../../run/event.ts'
import type { CallEntry, RunState } from '../../run/state.ts'
import { count, duration } from '../terminal/amounts.ts'
import type { Paint, Tone } from '../terminal/paint.ts'
import { argumentsLine, plainLine, plainText } from '../terminal/plain-text.ts'

/** One line about a step of a run. */
export interface StoryLine {
  readonly kind: 'user' | 'text' | 'call' | 'good' | 'bad' | 'ask' | 'retry' | 'note' | 'warning'
  readonly text: string
}

const MARKS: Readonly<Record<StoryLine['kind'], readonly [mark: string, tone: Tone]>> = {
  user: ['>', 'accent'],
  text: ['', 'plain'],
  call: ['→', 'accent'],
  good: ['✓', 'good'],
  bad: ['✗', 'bad'],
  ask: ['?', 'warn'],
  retry: ['↻', 'warn'],
  note: ['·', 'faint'],
  warning: ['!', 'warn'],
}

export function paintLine({ kind, text }: StoryLine, paint: Paint): string {
  const [mark, tone] = MARKS[kind]
  if (kind === 'text') return text
  return `${paint(tone, mark)} ${kind === 'note' ? paint('faint', text) : text}`
}

/**
 * Returns the lines for an event: messages, calls and their results, decisions of persons, and retries of models.
 * @param before the state before the event
 * @param after the state after it
 */
export function storyOf(event: RunEvent, before: RunState, after: RunState, plan: Plan): StoryLine[] {
  return [
    ...factLines(event, before),
    ...attemptLines(event, plan),
    ...callLines(event, before, after, plan),
    ...(event.decision.repair === undefined
      ? []
      : [line('retry', `the answer does not match the output schema; asking the model to repair it`)]),
    ...(event.decision.warnings ?? []).map(({ code, message }) => line('warning', `${code} ${message}`)),
  ]
}

function factLines({ fact, decision }: RunEvent, before: RunState): StoryLine[] {
  switch (fact.type) {
    case 'run.started':
    case 'user.said': {
      const input = typeof fact.input === 'string' ? fact.input : JSON.stringify(fact.input)
      const again = fact.type === 'user.said' ? (fact.background ?? []) : []
      const changed = again.filter(({ text }) => text !== undefined).length
      return [
        ...(input === '' ? [] : [{ kind: 'user' as const, text: plainText(input) }]),
        ...(changed === 0 ? [] : [line('note', `${count(changed, 'context text')} changed`)]),
      ]
    }
    case 'model.answered':
      return fact.message.text.trim() === ''
        ? []
        : [{ kind: 'text', text: plainText(fact.message.text).trim() }]
    case 'memory.read':
      return fact.items.length === 0
        ? []
        : [line('note', `${count(fact.items.length, 'memory item')} read in ${duration(fact.latency_ms)}`)]
    case 'model.failed':
      // The next step includes the reason: a retry, another model, or the end of the run.
      return []
    case 'call.answered':
    case 'call.failed': {
      const call = before.calls.find(({ id }) => id === fact.call_id)
      const time = duration(fact.latency_ms)
      if (decision.done?.error !== true && fact.type === 'call.answered')
        return [line('good', `${nameOf(call)} ${time}`)]
      const why =
        fact.type === 'call.failed' ? `${fact.code}: ${fact.message}` : reasonOf(decision.done?.result)
      return [line('bad', `${nameOf(call)} ${time} ${why}`)]
    }
    case 'judge.answered':
      return fact.breaches.map(({ constraint, why }) =>
        line('bad', `the judge found a violation of ${JSON.stringify(constraint)}: ${why}`),
      )
    case 'judge.failed':
      return [line('bad', `the judge failed: ${fact.message}`)]
    case 'call.asked': {
      const call = before.calls.find(({ id }) => id === fact.call_id)
      return fact.questions.map(({ message }) =>
        line('ask', `the server of ${nameOf(call)} asks: ${message}`),
      )
    }
    case 'call.held': {
      const call = before.calls.find(({ id }) => id === fact.call_id)
      return [line('ask', `${nameOf(call)} waits for a person`)]
    }
    case 'person.decided': {
      const call = before.calls.find(({ id }) => id === fact.call_id)
      const why = fact.why === undefined ? '' : `: ${fact.why}`
      return [
        line(
          fact.verdict === 'deny' ? 'bad' : 'good',
          `${call?.tool} ${VERDICTS[fact.verdict]} ${fact.by}${why}`,
        ),
      ]
    }
    case 'hook.ran': {
      if (fact.ok)
        return [line('note', `hook ${fact.hook}${fact.message === undefined ? '' : ` (${fact.message})`}`)]
      return [line('bad', `hook ${fact.hook} ${duration(fact.latency_ms)} ${fact.message ?? ''}`)]
    }
    case 'approval.lapsed': {
      const call = before.calls.find(({ id }) => id === fact.call_id)
      return [line('bad', `${nameOf(call)} was denied: not approved in time`)]
    }
    case 'deadline.passed':
      return [line('bad', 'the time limit has passed')]
    case 'drain.passed':
      return [line('bad', 'active calls did not answer in time')]
    case 'run.paused':
      return [line('note', `paused by ${fact.by}`)]
    case 'run.resumed':
      return [line('note', `resumed by ${fact.by}`)]
    case 'user.steered':
      return [
        {
          kind: 'user',
          text: plainText(typeof fact.input === 'string' ? fact.input : JSON.stringify(fact.input)),
        },
        ...(decision.steer === true ? [] : [line('bad', 'the message was refused')]),
      ]
    case 'turn.interrupted':
      return [line('note', `${fact.how === 'rollback' ? 'rolled back' : 'interrupted'} by ${fact.by}`)]
    case 'run.cancelled':
      return [line('note', `cancelled by ${fact.by}`)]
    case 'record.copied':
      return [line('bad', 'the record is a copy: what a newer one has sent is not known here')]
    case 'messages.restored':
      return []
    case 'run.restored': {
      const { run_id, seq, fork } = fact.from
      const source =
        run_id === undefined ? 'a state' : `run ${run_id}${seq === undefined ? '' : ` at event ${seq}`}`
      return [
        line('note', `${fork === true ? 'forked from' : 'continues'} ${source}, restored by ${fact.by}`),
      ]
    }
  }
}

const VERDICTS = {
  edit: 'approved with other arguments by',
  approve: 'approved by',
  deny: 'denied by',
  resend: 'sent again, decided by',
  assume: 'marked as done by',
  answer: 'answered by',
} as const

function reasonOf(result: unknown): string {
  if (typeof result === 'string') return result
  const error = (result as { readonly error?: unknown } | null | undefined)?.error
  return typeof error === 'string' ? error : JSON.stringify(result ?? null)
}

function attemptLines({ fact, decision }: RunEvent, plan: Plan): StoryLine[] {
  const { attempt, left } = decision
  if (fact.type !== 'model.failed' || attempt === undefined) return []
  if (left !== undefined)
    return [
      line(
        'retry',
        `${routeLabel(plan, left.route)} failed (${fact.code}: ${fact.message}); switching to ${routeLabel(plan, attempt.route)}`,
      ),
    ]
  const wait = attempt.delay_ms > 0 ? ` in ${duration(attempt.delay_ms)}` : ''
  return [line('retry', `retrying ${routeLabel(plan, attempt.route)}${wait} (${reasonToRetry(fact)})`)]
}

/** Returns the status or network code of a failure. Its message is shown once, at the end: retries often fail alike. */
function reasonToRetry({ code, message }: FactOf<'model.failed'>): string {
  const what = /\banswered \d{3}\b/.exec(message)?.[0] ?? /\(([A-Z_]{4,})\)/.exec(message)?.[1]
  return what === undefined ? code : `${code}: ${what}`
}

function callLines({ decision }: RunEvent, before: RunState, after: RunState, plan: Plan): StoryLine[] {
  const started = [
    ...(decision.calls ?? []),
    ...(decision.add ?? []),
    ...(decision.replace === undefined ? [] : [decision.replace]),
  ]
  const lines: StoryLine[] = started
    // A round of the judge repeats the answers that it must check.
    .filter((call) => call.key !== '' && call.status !== 'queued')
    .map((call) => newCallLine(call, plan))
  for (const [id, status] of Object.entries(decision.set ?? {})) {
    const call = after.calls.find((entry) => entry.id === id) ?? before.calls.find((entry) => entry.id === id)
    if (call === undefined) continue
    if (status === 'sent') lines.push(line('call', callText(call, plan)))
    if (status === 'unknown')
      lines.push(line('ask', `${call.tool}: outcome unknown; waiting for the decision of a person`))
  }
  return lines
}

function newCallLine(call: CallEntry, plan: Plan): StoryLine {
  switch (call.status) {
    case 'sent':
    case 'queued':
    case 'held':
    case 'judging':
      return line('call', callText(call, plan))
    case 'asking':
      return line('ask', `${callText(call, plan)} needs approval`)
    case 'input_required':
      return line('ask', `${callText(call, plan)}: its server asks a person something`)
    case 'unknown':
      return line('ask', `${callText(call, plan)}: outcome unknown`)
    case 'done':
      if (call.by_origin === true)
        return line('note', `${callText(call, plan)}: not sent again; the run of origin has its answer`)
      return line('bad', `${call.tool} was not called: ${reasonOf(call.result)}`)
  }
}

function nameOf(call: CallEntry | undefined): string {
  return call?.agent === undefined ? String(call?.tool) : `agent ${call.agent.alias}`
}

function callText(call: CallEntry, plan: Plan): string {
  if (call.agent !== undefined) {
    const replaced = call.agent.instead_of === undefined ? '' : ` instead of ${call.agent.instead_of}`
    return plainLine(`agent ${call.agent.alias}${replaced}`)
  }

  const writes = plan.tools.find(({ name }) => name === call.tool)?.effect === 'write'
  return [plainLine(call.tool), writes ? '(write)' : '', argumentsLine(call.args)]
    .filter((part) => part !== '')
    .join(' ')
}

function line(kind: StoryLine['kind'], text: string): StoryLine {
  return { kind, text: plainLine(text, 400) }
}

export function routeLabel(plan: Plan, index: number): string {
  const route = plan.models[index]
  return route === undefined ? 'no model' : plainLine(`${route.provider_id ?? route.provider}/${route.model}`)
}
