import { parseExact } from '../../document/exact-numbers.ts'
import type { Json, JsonObject } from '../../document/json.ts'
import { mixedWords } from '../../document/mixed-scripts.ts'
import { ownMember } from '../../document/own-member.ts'
import type { Plan, PlannedTool } from '../../plan/plan.ts'
import type { PersonDecided } from '../../run/record/left-decision.ts'
import type { CallEntry } from '../../run/state.ts'
import { type Asks, asksOf } from '../../run/unsettled.ts'
import type { Home } from '../../session/home.ts'
import { serverOf } from '../../session/server-of.ts'
import type { AskedCall } from '../../session/session.ts'
import type { Io } from '../io.ts'
import { chooseDeliberately, type Entry } from '../terminal/choose-deliberately.ts'
import { type Paint, painter } from '../terminal/paint.ts'
import { jsonText, plainLine } from '../terminal/plain-text.ts'
import { openPrompts } from '../terminal/prompts.ts'
import { askInput, questionRows } from './ask-input.ts'

/** How often to check for a decision from another terminal, in milliseconds. */
const POLL_MS = 500

export type PersonAnswer =
  | { readonly kind: 'decided'; readonly fact: PersonDecided; readonly elsewhere: boolean }
  /** The call continues to wait. */
  | { readonly kind: 'later' }
  /** Ctrl-C at the prompt. */
  | { readonly kind: 'interrupted' }

export interface Question extends AskedCall {
  readonly home: Home
  /** The identities of the agents of the run, by definition hash. */
  readonly definitions: Readonly<Record<string, string>>
  /** The name of the person who decides, for the record. */
  readonly by: string
}

/** The terminal of a run, which a question needs for itself. */
export interface Stage {
  /** Waits until the person has sent or erased what is being typed, if there is something. */
  draftEnds(notice: string, signal: AbortSignal): Promise<void>
  /** Holds back all other output while `act` asks. */
  whileHeld<T>(act: () => Promise<T>): Promise<T>
}

/**
 * Asks the person at the terminal about one call. Closes the prompt if the call is decided elsewhere. Keys that belong to
 * a message that is being typed never reach the prompt.
 */
export async function promptPerson(question: Question, io: Io, stage: Stage): Promise<PersonAnswer> {
  const { call, plan, signal, settled } = question
  const before = await settled()
  if (before !== undefined) return { kind: 'decided', fact: before, elsewhere: true }
  const stop = new AbortController()
  let elsewhere: PersonDecided | undefined
  const look = async () => {
    elsewhere ??= await settled()
    if (elsewhere !== undefined) stop.abort()
  }
  // A failed check is repeated. The decision is stored before it takes effect, so it cannot be lost.
  const poll = setInterval(() => void look().catch(() => {}), POLL_MS)
  try {
    const closed = AbortSignal.any([signal, stop.signal])
    const tool = plainLine(call.tool, 60)
    await stage.draftEnds(
      `${tool} waits for your decision: send your message with Enter, or erase it with Ctrl-U, then decide`,
      closed,
    )
    const answer = await stage.whileHeld(async () => {
      if (!closed.aborted) io.err(`${describeCall(call, toolOf(plan, call), painter(io.color))}\n`)
      return ask(question, io, closed)
    })
    if (elsewhere !== undefined) return { kind: 'decided', fact: elsewhere, elsewhere: true }
    return answer
  } finally {
    clearInterval(poll)
  }
}

async function ask(question: Question, io: Io, signal: AbortSignal): Promise<PersonAnswer> {
  const { call, by, args, signal: outer } = question
  const decided = (rest: Pick<PersonDecided, 'verdict'> & Partial<PersonDecided>): PersonAnswer => ({
    kind: 'decided',
    fact: { type: 'person.decided', call_id: call.id, by, ...rest },
    elsewhere: false,
  })
  const cancelled = (): PersonAnswer =>
    outer.aborted || signal.aborted ? { kind: 'later' } : { kind: 'interrupted' }
  // A rule would contain the values of arguments, so it is not offered if some of them are hidden.
  if (call.status === 'input_required') {
    const server = serverOf(toolOf(question.plan, call))
    const given = await askInput(call.elicitation?.questions ?? [], server, io, signal)
    if (given === undefined) return cancelled()
    return given === 'later' ? { kind: 'later' } : decided({ verdict: 'answer', answers: given.answers })
  }
  const ruled =
    args === call.args && ownMember(question.definitions, question.plan.definition_hash) !== undefined
  for (;;) {
    const message =
      call.status === 'asking' ? `Allow ${plainLine(call.tool, 60)}?` : 'What should happen with this call?'
    const options =
      call.status !== 'asking' ? UNKNOWN : APPROVAL.filter(({ value }) => ruled || value !== 'alike')
    const verdict = await chooseDeliberately({ message, options, safe: 'later', signal }, io)
    switch (verdict) {
      case undefined:
        return cancelled()
      case 'later':
        return { kind: 'later' }
      case 'approve':
      case 'resend':
        return decided({ verdict })
      case 'alike': {
        const { askRule } = await import('./ask-rule.ts')
        const grant = await askRule(question, signal, io)
        if (signal.aborted) return cancelled()
        if (grant === null) continue
        return decided({
          verdict: 'approve',
          why: `approved together with all similar calls: ${grant.what}`,
          grant: grant.id,
        })
      }
      case 'assume': {
        const text = await askText('Result of the call? (JSON or text; empty if unknown)', signal, io)
        if (text === null) return cancelled()
        return decided({ verdict, ...(text !== '' && { result: readResult(text) }) })
      }
      case 'deny': {
        const why = await askText('Reason? It is sent to the model. (optional)', signal, io)
        if (why === null) return cancelled()
        return decided({ verdict, ...(why.trim() !== '' && { why: why.trim() }) })
      }
    }
  }
}

/** @returns null if the person leaves */
async function askText(message: string, signal: AbortSignal, io: Io): Promise<string | null> {
  const { prompts, streams } = await openPrompts(io)
  const text = await prompts.text({ ...streams, signal, message })
  return prompts.isCancel(text) ? null : (text ?? '')
}

type Choice = 'approve' | 'alike' | 'deny' | 'later' | 'resend' | 'assume'
const APPROVAL: readonly Entry<Choice>[] = [
  { value: 'approve', label: 'Approve' },
  { value: 'deny', label: 'Deny', hint: 'the model gets your reason' },
  { value: 'alike', label: 'Approve all similar calls', hint: 'you choose which calls, and for how long' },
  { value: 'later', label: 'Decide later', hint: 'the run is saved and waits' },
]
const UNKNOWN: readonly Entry<Choice>[] = [
  { value: 'later', label: 'Decide later', hint: 'check first what happened; the run is saved and waits' },
  { value: 'assume', label: 'It was done', hint: 'continue without sending it again' },
  { value: 'resend', label: 'Send it again', hint: 'if it was done already, it is done twice' },
  { value: 'deny', label: 'It was not done', hint: 'do not send it again; the model gets an error' },
]

/** Returns the result that a person typed: parsed if it is JSON, else as text. */
export function readResult(text: string): Json {
  try {
    return parseExact(text)
  } catch {
    return text
  }
}

function toolOf(plan: Plan, call: CallEntry): PlannedTool | undefined {
  return plan.tools.find(({ name }) => name === call.tool)
}

const TITLES: Readonly<Record<Asks, (tool: string, server: string) => string>> = {
  approval: (tool) => `${tool} needs your approval`,
  input: (tool, server) => `The server ${server} asks you something before it makes ${tool}`,
  unknown: (tool) => `${tool}: the outcome of this call is unknown`,
}
const NO_PASSWORDS = 'the text is that of the server; never type a password, a key or a code into its form'

/** Returns the facts for a decision: tool, endpoint, arguments, effect, and the reason for the question. */
export function describeCall(
  call: CallEntry,
  tool: PlannedTool | undefined,
  paint: Paint,
  server?: string,
): string {
  const row = (name: string, text: string) => `  ${paint('faint', name.padEnd(9))} ${text}`
  const title = TITLES[asksOf(call)](plainLine(call.tool), plainLine(server ?? serverOf(tool), 60))
  const asked = questionRows(
    call.status === 'input_required' ? (call.elicitation?.questions ?? []) : [],
    paint,
  )
  const where =
    tool?.endpoint === undefined
      ? `${tool?.protocol ?? 'function'} in your own module`
      : `${tool.method ?? ''} ${plainLine(tool.endpoint, 300)}`.trim()
  const args = jsonText(call.args, 2).replaceAll('\n', `\n${' '.repeat(12)}`)
  return [
    `${paint('warn', '?')} ${paint('strong', title)}`,
    ...(tool === undefined ? [] : [row('does', plainLine(tool.description, 300))]),
    row('calls', where),
    row('arguments', args),
    ...mixedRows(call.args).map((text) => row('', paint('warn', text))),
    row('effect', EFFECTS[call.effect]),
    ...asked.map(([name, text]) => row(name, text)),
    ...(asked.length === 0 ? [] : [row('note', NO_PASSWORDS)]),
    ...(call.status === 'unknown'
      ? [row('why', 'the call was sent, but no answer is recorded; sending it again could repeat its effect')]
      : asked.length > 0 || (call.why ?? tool?.reason) === undefined
        ? []
        : [row('why', plainLine(call.why ?? tool?.reason ?? '', 300))]),
    row('call', plainLine(call.id)),
  ].join('\n')
}

/** Returns a warning for each word in the arguments that mixes scripts, with the letters that are not of ASCII. */
function mixedRows(args: JsonObject): readonly string[] {
  return mixedWords(JSON.stringify(args)).map(({ word, scripts }) => {
    const letters = [...new Set(word.match(/[^\p{ASCII}\P{L}]/gu))].slice(0, 5).map(codePoint)
    return `! ${JSON.stringify(plainLine(word, 60))} mixes ${scripts.join(' and ')} letters (${letters.join(', ')})`
  })
}

function codePoint(letter: string): string {
  return `${letter} is U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}

const EFFECTS = {
  none: 'reads only',
  idempotent: 'writes; repeating the call has no further effect',
  once: 'writes; never sent again automatically',
} as const
