import type { Json, JsonObject } from '../../document/json.ts'
import type { ServerQuestion } from '../../run/elicitation.ts'
import type { Fact, RunEvent, Verdict } from '../../run/event.ts'
import type { CallEntry, CallStatus, RunEnd, Usage } from '../../run/state.ts'
import { type Asks, asksOf, asksPerson } from '../../run/unsettled.ts'
import type { StreamItem } from './stream-item.ts'

/**
 * What a chat client shows of a run. Each protocol for such clients is an encoding of these items, so that all of them
 * agree on what happened. `seq` is the event that caused an item: a client that has it can resume from there.
 */
export type UiItem =
  | { readonly type: 'run.started'; readonly seq: number; readonly input: Json }
  /** Another input of a conversation. */
  | { readonly type: 'turn.started'; readonly seq: number; readonly input: Json }
  /** A model is asked. */
  | { readonly type: 'step.started'; readonly seq: number; readonly attempt: number }
  | {
      readonly type: 'step.ended'
      readonly seq: number
      readonly attempt: number
      readonly usage?: Usage
      /** Why the model gave no answer. */
      readonly error?: { readonly code: string; readonly message: string }
    }
  /** A model begins to write. At most one text is open at a time. */
  | { readonly type: 'text.start'; readonly attempt: number }
  | { readonly type: 'text.delta'; readonly attempt: number; readonly text: string }
  /**
   * The text is over. `text` is the whole text on record; if `differs`, it is not what the deltas gave. `discarded`:
   * no answer is on record, and another attempt may follow.
   */
  | {
      readonly type: 'text.end'
      readonly seq?: number
      readonly attempt: number
      readonly text?: string
      readonly differs?: true
      readonly discarded?: true
    }
  | {
      readonly type: 'tool.call'
      readonly seq: number
      readonly call_id: string
      readonly tool: string
      readonly arguments: JsonObject
      /** The alias, if a sub-agent is called. */
      readonly agent?: string
    }
  | { readonly type: 'tool.result'; readonly seq: number; readonly call_id: string; readonly result: Json }
  | { readonly type: 'tool.error'; readonly seq: number; readonly call_id: string; readonly result: Json }
  /** A person must decide: before the call is sent, what its server asks, or whether it took effect. */
  | {
      readonly type: 'approval.requested'
      readonly seq: number
      readonly call_id: string
      readonly asks: Asks
      /** Absent if the client joined after the call was made. */
      readonly tool?: string
      readonly arguments?: JsonObject
      /** What the server of the tool asks. */
      readonly questions?: readonly ServerQuestion[]
      readonly why?: string
    }
  | {
      readonly type: 'approval.decided'
      readonly seq: number
      readonly call_id: string
      readonly verdict: Verdict | 'lapsed'
      readonly by?: string
      readonly why?: string
    }
  | { readonly type: 'run.paused'; readonly seq: number; readonly by: string }
  | { readonly type: 'run.resumed'; readonly seq: number; readonly by: string }
  /** The turn has ended; the run ends with it unless its conversation continues. */
  | { readonly type: 'run.ended'; readonly seq: number; readonly end: RunEnd; readonly usage: Usage }

/** What the projection remembers between two items. Begins as {@link UI_START}. */
export interface UiState {
  readonly text: UiText | null
  readonly attempt: number | null
  /** Calls that were announced and have no result yet. */
  readonly calls: ReadonlyMap<string, CallEntry>
  /** Of all answers of models that were seen. */
  readonly usage: Usage
}

export interface UiText {
  /** The question to which it was opened. */
  readonly attempt: number
  readonly sent: string
  /**
   * Another question continues the text after a pause. Its own text begins with the interrupted answer: this is the part
   * of it that has arrived. Absent as soon as it goes beyond `sent`.
   */
  readonly again?: string
}

export const UI_START: UiState = {
  text: null,
  attempt: null,
  calls: new Map(),
  usage: { input_tokens: 0, output_tokens: 0 },
}

export interface UiStep {
  readonly state: UiState
  readonly items: readonly UiItem[]
}

/**
 * Translates one item of a run's stream to what a chat client shows. Pure: the same items give the same result at each
 * process, so a client can resume anywhere. It may begin with any event; of calls that were made before, the members
 * that their results do not repeat are then absent.
 */
export function projectUi(state: UiState, item: StreamItem): UiStep {
  switch (item.type) {
    case 'text.snapshot':
      return snapshot(state, item.attempt, item.text)
    case 'text':
      return delta(state, item.attempt, item.text)
    case 'event':
      return project(state, item.event)
    case 'end':
      return { state, items: [] }
  }
}

/** A snapshot continues the open text if it repeats it; otherwise the text begins again. */
function snapshot(state: UiState, attempt: number, text: string): UiStep {
  const open = state.text
  if (open?.again !== undefined) return continued(state, open, attempt, text)
  if (open !== null && isOf(state, open, attempt) && text.startsWith(open.sent))
    return delta(state, attempt, text.slice(open.sent.length))
  return begin(state, attempt, text)
}

/** Returns true if an open text is that of a question, or the one that it continues. */
function isOf({ attempt: current }: UiState, open: UiText, attempt: number): boolean {
  return open.attempt === attempt || (current === attempt && open.attempt < attempt)
}

/** Gives what a question to continue a text adds to it. */
function continued(state: UiState, open: UiText, attempt: number, again: string): UiStep {
  if (open.sent.startsWith(again)) return { state: { ...state, text: { ...open, again } }, items: [] }
  if (!again.startsWith(open.sent)) return begin(state, attempt, again)
  const { again: _over, ...text } = open
  return delta({ ...state, text }, attempt, again.slice(open.sent.length))
}

function begin(state: UiState, attempt: number, text: string): UiStep {
  const open = state.text
  const begun = delta({ ...state, text: { attempt, sent: '' } }, attempt, text)
  return { state: begun.state, items: [...discarded(open), { type: 'text.start', attempt }, ...begun.items] }
}

function delta(state: UiState, attempt: number, text: string): UiStep {
  if (text === '') return { state, items: [] }
  const open = state.text ?? { attempt, sent: '' }
  if (open.again !== undefined) return continued(state, open, attempt, open.again + text)
  const items = [{ type: 'text.delta' as const, attempt: open.attempt, text }]
  return { state: { ...state, text: { ...open, sent: open.sent + text } }, items }
}

function discarded(text: UiState['text'], seq?: number): readonly UiItem[] {
  if (text === null) return []
  return [{ type: 'text.end', ...(seq !== undefined && { seq }), attempt: text.attempt, discarded: true }]
}

function project(state: UiState, event: RunEvent): UiStep {
  const { seq, fact, decision } = event
  const items: UiItem[] = [...ofFact(state, seq, fact)]
  let { text, attempt } = state
  if (fact.type === 'model.answered' || fact.type === 'model.failed') {
    text = null
    attempt = null
  }
  const calls = new Map(state.calls)
  const announce = (call: CallEntry) => {
    const known = calls.get(call.id)
    calls.set(call.id, call)
    if (known === undefined || known.key !== call.key) items.push(announced(seq, call))
    if (known?.status !== call.status) items.push(...asked(seq, call.id, call.status, call))
    if (call.status === 'done') items.push(...finished(calls, seq, call.id, call.result ?? null, call.error))
  }
  for (const call of [...(decision.calls ?? []), ...(decision.judged ?? []), ...(decision.add ?? [])])
    announce(call)
  if (decision.replace !== undefined) announce(decision.replace)
  for (const [id, status] of Object.entries(decision.set ?? {})) {
    const call = calls.get(id)
    if (call?.status === status) continue
    items.push(...asked(seq, id, status, call))
    if (call !== undefined) calls.set(id, { ...call, status })
  }
  const { done } = decision
  if (done !== undefined) items.push(...finished(calls, seq, done.call_id, done.result, done.error))
  if (decision.attempt !== undefined) {
    // A question that is sent again, for example by another worker, gives its text again.
    const continues = decision.attempt.continues === true && text !== null
    if (!continues) items.push(...discarded(text, seq))
    text = continues ? { ...(text as UiText), again: '' } : null
    attempt = decision.attempt.n
    items.push({ type: 'step.started', seq, attempt })
  }
  const usage = 'usage' in fact && fact.usage !== undefined ? added(state.usage, fact.usage) : state.usage
  if (decision.end !== undefined) {
    items.push(...discarded(text, seq), { type: 'run.ended', seq, end: decision.end, usage })
    text = null
  }
  return { state: { text, attempt, calls, usage }, items }
}

function ofFact(state: UiState, seq: number, fact: Fact): readonly UiItem[] {
  switch (fact.type) {
    case 'run.started':
      return [{ type: 'run.started', seq, input: fact.input }]
    case 'user.said':
      return [{ type: 'turn.started', seq, input: fact.input }]
    case 'model.answered':
      return [
        ...answered(state.text, seq, fact.attempt, fact.message.text),
        { type: 'step.ended', seq, attempt: fact.attempt, usage: fact.usage },
      ]
    case 'model.failed': {
      const { attempt, code, message, usage } = fact
      const error = { code, message }
      return [
        ...discarded(state.text, seq),
        { type: 'step.ended', seq, attempt, error, ...(usage !== undefined && { usage }) },
      ]
    }
    case 'person.decided':
      return [
        {
          type: 'approval.decided',
          seq,
          call_id: fact.call_id,
          verdict: fact.verdict,
          by: fact.by,
          ...(fact.why !== undefined && { why: fact.why }),
        },
      ]
    case 'approval.lapsed':
      return [{ type: 'approval.decided', seq, call_id: fact.call_id, verdict: 'lapsed' }]
    case 'run.paused':
    case 'run.resumed':
      return [{ type: fact.type, seq, by: fact.by }]
    default:
      return []
  }
}

/** The answer on record completes the text: what was written after the last delta is given as one more. */
function answered(open: UiState['text'], seq: number, attempt: number, text: string): readonly UiItem[] {
  if (open === null)
    return text === ''
      ? []
      : [
          { type: 'text.start', attempt },
          { type: 'text.delta', attempt, text },
          { type: 'text.end', seq, attempt, text },
        ]
  // A text that was continued keeps the number of the question to which it was opened.
  const { attempt: begun, sent } = open
  if (!text.startsWith(sent)) return [{ type: 'text.end', seq, attempt: begun, text, differs: true }]
  const rest = text.slice(sent.length)
  return [
    ...(rest === '' ? [] : [{ type: 'text.delta' as const, attempt: begun, text: rest }]),
    { type: 'text.end', seq, attempt: begun, text },
  ]
}

function announced(seq: number, { id, tool, args, agent }: CallEntry): UiItem {
  const alias = agent === undefined ? {} : { agent: agent.alias }
  return { type: 'tool.call', seq, call_id: id, tool, arguments: args, ...alias }
}

function asked(seq: number, call_id: string, status: CallStatus, call?: CallEntry): readonly UiItem[] {
  if (!asksPerson({ status })) return []
  return [
    {
      type: 'approval.requested',
      seq,
      call_id,
      asks: asksOf({ status }),
      ...(status === 'input_required' &&
        call?.elicitation !== undefined && { questions: call.elicitation.questions }),
      ...(call !== undefined && { tool: call.tool, arguments: call.args }),
      ...(call?.why !== undefined && { why: call.why }),
    },
  ]
}

function finished(
  calls: Map<string, CallEntry>,
  seq: number,
  call_id: string,
  result: Json,
  error?: true,
): readonly UiItem[] {
  calls.delete(call_id)
  return [{ type: error === true ? 'tool.error' : 'tool.result', seq, call_id, result }]
}

function added(total: Usage, more: Usage): Usage {
  return {
    input_tokens: total.input_tokens + more.input_tokens,
    output_tokens: total.output_tokens + more.output_tokens,
    ...((total.estimated ?? more.estimated) === true && { estimated: true }),
  }
}
