import { exactText, parseExact } from '../../document/exact-numbers.ts'
import type { Tenant } from '../../platform/platform.ts'
import type { RunView } from '../../platform/records/run-view.ts'
import { projectUi, UI_START } from '../../platform/streams/ui-stream.ts'
import { type ChatEnd, chatEnd } from './chat-end.ts'
import { waitingText } from './chat-run.ts'
import { runError } from './openai-error.ts'

/** What a client reads in a streamed chat completion. */
export type ChatPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'refusal'; readonly text: string }
  | { readonly type: 'finish'; readonly run: RunView; readonly finish_reason: ChatEnd['finish_reason'] }
  | { readonly type: 'error'; readonly body: object }

const AGAIN = '\n\n[The model was interrupted, and its answer begins again.]\n\n'

/**
 * Yields the answer of a run while it is written. Their protocol cannot take text back: each answer of the model is
 * given, those before tool calls included, with an empty line between two, and an interrupted one is followed by a
 * note. The last text is always the whole output of the run.
 * @param settled resolves when the run has ended or waits for a person; null if that took too long
 */
export async function* chatParts(
  { runs }: Tenant,
  runId: string,
  settled: Promise<RunView | null>,
  baseUrl: string,
  signal: AbortSignal,
): AsyncGenerator<ChatPart, void, undefined> {
  const stop = new AbortController()
  let stands: RunView | undefined
  const asked = new Set<string>()
  const isShown = () =>
    stands !== undefined && (stands.waiting ?? []).every(({ call_id }) => asked.has(call_id))
  void settled.then(
    (run) => {
      if (run === null) stop.abort()
      else if (waitingText(run, baseUrl) !== null || run.status === 'set_aside') {
        stands = run
        if (isShown()) stop.abort()
      }
    },
    () => stop.abort(),
  )
  let ui = UI_START
  let last = ''
  let between = ''
  for await (const item of runs.follow(runId, 0, AbortSignal.any([signal, stop.signal]))) {
    const step = projectUi(ui, item)
    ui = step.state
    for (const one of step.items) {
      if (one.type === 'text.start') last = ''
      else if (one.type === 'text.delta') {
        yield { type: 'text', text: between + one.text }
        between = ''
        last += one.text
      } else if (one.type === 'text.end') between = one.discarded === true ? AGAIN : '\n\n'
      else if (one.type === 'approval.requested') asked.add(one.call_id)
      else if (one.type === 'approval.decided') asked.delete(one.call_id)
    }
    if (isShown()) stop.abort()
    if (item.type !== 'end') continue
    yield* ending(item.run, last, between)
    return
  }
  if (stands === undefined || signal.aborted) return
  const text = waitingText(stands, baseUrl)
  if (text === null) yield { type: 'error', body: runError(stands).body }
  else {
    yield { type: 'text', text: between + text }
    yield { type: 'finish', run: stands, finish_reason: 'stop' }
  }
}

function* ending(run: RunView, last: string, between: string): Generator<ChatPart, void, undefined> {
  const end = chatEnd(run)
  if (end === null) {
    yield { type: 'error', body: runError(run).body }
    return
  }
  const { text, refusal, finish_reason } = end
  if (text !== '' && !isSame(last, run, text)) yield { type: 'text', text: between + text }
  if (refusal !== null) yield { type: 'refusal', text: refusal }
  yield { type: 'finish', run, finish_reason }
}

/** Returns true if the streamed text is the output, as text or as the JSON of it. */
function isSame(text: string, { output }: RunView, answer: string): boolean {
  if (text.trim() === answer.trim()) return true
  if (typeof output === 'string') return false
  try {
    return exactText(parseExact(text)) === answer
  } catch {
    return false
  }
}
