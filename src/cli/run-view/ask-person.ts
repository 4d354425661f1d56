import type { Json } from '../../document/json.ts'
import type { Plan, PlannedTool } from '../../plan/plan.ts'
import type { PersonDecided } from '../../run/record/left-decision.ts'
import type { CallEntry } from '../../run/state.ts'
import type { Home } from '../../session/home.ts'
import type { AskedCall } from '../../session/session.ts'
import type { Io } from '../io.ts'
import { type Paint, painter } from '../terminal/paint.ts'
import { jsonText, plainLine, plainText } from '../terminal/plain-text.ts'
import { openPrompts } from '../terminal/prompts.ts'

/** Another terminal may decide while this one asks. */
const POLL_MS = 500

export type PersonAnswer =
  | { readonly kind: 'decided'; readonly fact: PersonDecided; readonly elsewhere: boolean }
  /** The call keeps waiting. */
  | { readonly kind: 'later' }
  /** Ctrl-C at the question. */
  | { readonly kind: 'interrupted' }

export interface Question extends AskedCall {
  readonly home: Home
  /** By definition hash, the identities of the run's agents. */
  readonly definitions: Readonly<Record<string, string>>
  /** Who decides, for the record. */
  readonly by: string
}

/** Asks the person at the terminal about one call, and stops asking when it is decided elsewhere. */
export async function promptPerson(question: Question, io: Io): Promise<PersonAnswer> {
  const { call, plan, signal, settled } = question
  const before = await settled()
  if (before !== undefined) return { kind: 'decided', fact: before, elsewhere: true }
  io.err(`${describeCall(call, toolOf(plan, call), painter(io.color))}\n`)
  const stop = new AbortController()
  let elsewhere: PersonDecided | undefined
  const look = async () => {
    elsewhere ??= await settled()
    if (elsewhere !== undefined) stop.abort()
  }
  // A look that fails is made again; the decision itself is stored before anything is done about it.
  const poll = setInterval(() => void look().catch(() => {}), POLL_MS)
  try {
    const answer = await ask(question, io, AbortSignal.any([signal, stop.signal]))
    if (elsewhere !== undefined) return { kind: 'decided', fact: elsewhere, elsewhere: true }
    return answer
  } finally {
    clearInterval(poll)
  }
}

async function ask(question: Question, io: Io, signal: AbortSignal): Promise<PersonAnswer> {
  const { call, by, args, signal: outer } = question
  const { prompts, streams } = await openPrompts(io)
  const open = { ...streams, signal }
  const decided = (rest: Pick<PersonDecided, 'verdict'> & Partial<PersonDecided>): PersonAnswer => ({
    kind: 'decided',
    fact: { type: 'person.decided', call_id: call.id, by, ...rest },
    elsewhere: false,
  })
  const cancelled = (): PersonAnswer =>
    outer.aborted || signal.aborted ? { kind: 'later' } : { kind: 'interrupted' }
  // A rule would have to name the very data that is kept from sight.
  const ruled = args === call.args && question.definitions[question.plan.definition_hash] !== undefined
  for (;;) {
    const verdict = await prompts.select({
      ...open,
      message: call.status === 'asking' ? `Let ${plainLine(call.tool, 60)} go ahead?` : 'What is to be done?',
      options:
        call.status !== 'asking' ? UNKNOWN : APPROVAL.filter(({ value }) => ruled || value !== 'alike'),
      showInstructions: false,
    })
    if (prompts.isCancel(verdict)) return cancelled()
    switch (verdict) {
      case 'later':
        return { kind: 'later' }
      case 'approve':
      case 'resend':
        return decided({ verdict })
      case 'alike': {
        const { askRule } = await import('./ask-rule.ts')
        const grant = await askRule(question, { prompts, streams: open }, io)
        if (signal.aborted) return cancelled()
        if (grant === null) continue
        return decided({ verdict: 'approve', why: `with all calls like it: ${grant.what}`, grant: grant.id })
      }
      case 'assume': {
        const text = await prompts.text({
          ...open,
          message: 'What did it answer? (JSON or text; empty if that is not known)',
        })
        if (prompts.isCancel(text)) return cancelled()
        return decided({ verdict, ...((text ?? '') !== '' && { result: readResult(text) }) })
      }
      case 'deny': {
        const why = await prompts.text({ ...open, message: 'Why? The model reads it. (empty: no reason)' })
        if (prompts.isCancel(why)) return cancelled()
        return decided({ verdict, ...((why ?? '').trim() !== '' && { why: why.trim() }) })
      }
    }
  }
}

type Choice = 'approve' | 'alike' | 'deny' | 'later' | 'resend' | 'assume'
const APPROVAL: { value: Choice; label: string; hint?: string }[] = [
  { value: 'approve', label: 'Approve' },
  { value: 'deny', label: 'Deny', hint: 'the model is told, with your reason' },
  { value: 'alike', label: 'Approve, and calls like it', hint: 'you say which, and for how long' },
  { value: 'later', label: 'Leave for later', hint: 'the run is saved and waits' },
]
const UNKNOWN: { value: Choice; label: string; hint?: string }[] = [
  { value: 'later', label: 'Leave for later', hint: 'look it up first; the run is saved and waits' },
  { value: 'assume', label: 'It was done', hint: 'go on without sending it again' },
  { value: 'resend', label: 'Send it again', hint: 'if it was done, it will be done twice' },
  { value: 'deny', label: 'It was not done', hint: 'and is not to be: the model is told' },
]

/** A person's text as a result: JSON when it is JSON. */
export function readResult(text: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

function toolOf(plan: Plan, call: CallEntry): PlannedTool | undefined {
  return plan.tools.find(({ name }) => name === call.tool)
}

/** Everything that a person needs to decide: what is called, where, with what, what it may change, and why it is asked. */
export function describeCall(call: CallEntry, tool: PlannedTool | undefined, paint: Paint): string {
  const row = (name: string, text: string) => `  ${paint('faint', name.padEnd(9))} ${text}`
  const title =
    call.status === 'unknown'
      ? `${plainLine(call.tool)}: this call may or may not have happened`
      : `${plainLine(call.tool)} needs your approval`
  const where =
    tool?.endpoint === undefined
      ? `${tool?.protocol ?? 'function'} of your own module`
      : `${tool.method ?? ''} ${plainLine(tool.endpoint, 300)}`.trim()
  const args = plainText(jsonText(call.args, 2)).replaceAll('\n', `\n${' '.repeat(12)}`)
  return [
    `${paint('warn', '?')} ${paint('strong', title)}`,
    ...(tool === undefined ? [] : [row('does', plainLine(tool.description, 300))]),
    row('calls', where),
    row('arguments', args),
    row('effect', EFFECTS[call.effect]),
    ...(call.status === 'unknown'
      ? [row('why', 'it was sent, and no answer is on record; sending it again could do it twice')]
      : (call.why ?? tool?.reason) === undefined
        ? []
        : [row('why', plainLine(call.why ?? tool?.reason ?? '', 300))]),
    row('call', plainLine(call.id)),
  ].join('\n')
}

const EFFECTS = {
  none: 'reads only',
  idempotent: 'writes; the same call twice counts once',
  once: 'writes; it is never sent twice by itself',
} as const
