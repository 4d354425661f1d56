import { defined } from '../../../document/defined.ts'
import type { Json, JsonObject } from '../../../document/json.ts'
import type { Finish } from '../../../run/finish.ts'
import type { ReportedUsage } from '../../../run/ports.ts'
import { type AnswerPiece, keptMember, keptPart } from '../opaque-parts.ts'
import {
  type AnswerReader,
  type AnswerSink,
  argumentsText,
  countOf,
  isWholeObject,
  laterReason,
  objectOf,
  objectsOf,
  textOf,
  UnreadableCall,
  type WireAnswer,
} from './answer-reader.ts'
import { finishOf } from './finish-reasons.ts'
import { isKeptPart, type Kept, keepMembers, recordable } from './kept-members.ts'

interface CallDraft {
  readonly type: 'call'
  index: number | undefined
  id: string
  tool: string
  input: string
  readonly kept: Kept
}

/**
 * Reads chat completions: those of OpenAI, Mistral, Groq, and of compatible servers, which differ in everything that is
 * optional. Whatever is missing, null or of another type is passed over, unless the answer needs it.
 */
export class ChatAnswer implements AnswerReader {
  readonly #sink: AnswerSink
  readonly #pieces: ({ readonly type: 'text'; text: string } | CallDraft)[] = []
  readonly #kept: Kept = new Map()
  /** Parts of the content that are not text, each with the number of characters before it. */
  readonly #parts: { part: JsonObject; readonly chars: number }[] = []
  #chars = 0
  #finish: Finish | undefined
  #refused = false
  #usage: ReportedUsage = {}

  constructor(sink: AnswerSink) {
    this.#sink = sink
  }

  get ended(): boolean {
    return this.#finish !== undefined
  }

  /** The usage may follow, so only the end of the stream is certain. */
  readonly closed = false

  read(body: JsonObject): void {
    // Several answers are never asked for, so the index of the only one says nothing.
    const choices = objectsOf(body.choices)
    const choice = choices.find(({ index }) => index === 0) ?? choices[0]
    for (const usage of [body.usage, objectOf(body.x_groq)?.usage, choice?.usage]) this.#count(usage)
    if (choice === undefined) return
    const message = objectOf(choice.delta) ?? objectOf(choice.message)
    if (message !== undefined) this.#message(message)
    else this.#text(textOf(choice.text))
    const reason = textOf(choice.finish_reason)
    if (reason !== undefined) this.#finish = laterReason(this.#finish, finishOf(reason))
  }

  #message(message: JsonObject): void {
    keepMembers(this.#kept, message)
    this.#content(message.content)
    const refusal = textOf(message.refusal)
    if (refusal !== undefined) {
      this.#refused = true
      this.#text(refusal)
    }
    // The transcript of a spoken answer.
    if (message.content === undefined || message.content === null)
      this.#text(textOf(objectOf(message.audio)?.transcript))
    const begun = this.#pieces.length
    for (const call of objectsOf(message.tool_calls)) this.#call(call, begun)
    // The form before there were several calls in an answer.
    const single = objectOf(message.function_call)
    if (single !== undefined) this.#call({ index: 0, function: single }, begun)
  }

  #content(content: Json | undefined): void {
    for (const part of Array.isArray(content) ? content : [content]) {
      if (typeof part === 'string') this.#text(part)
      const item = objectOf(part)
      if (item === undefined) continue
      const refusal = textOf(item.refusal)
      if (refusal !== undefined) this.#refused = true
      const text = refusal ?? textOf(item.text)
      if (isKeptPart(item)) this.#part(item)
      else this.#text(text)
    }
  }

  /** Joins the pieces of one part of reasoning. */
  #part(part: JsonObject): void {
    const last = this.#parts.at(-1)
    const joins =
      last !== undefined &&
      last.chars === this.#chars &&
      last.part.type === part.type &&
      last.part.closed !== true
    if (!joins) this.#parts.push({ part, chars: this.#chars })
    else last.part = { ...last.part, ...part, ...joinedTexts(last.part, part) }
  }

  #text(text: string | undefined): void {
    if (text === undefined || text === '') return
    this.#chars += text.length
    const last = this.#pieces.at(-1)
    if (last?.type === 'text') last.text += text
    else this.#pieces.push({ type: 'text', text })
    this.#sink.text(text)
  }

  /** @param begun the number of pieces before this event */
  #call(delta: JsonObject, begun: number): void {
    const about = objectOf(delta.function) ?? delta
    const index =
      typeof delta.index === 'number' && Number.isSafeInteger(delta.index) ? delta.index : undefined
    const id = typeof delta.id === 'string' ? delta.id : ''
    const name = textOf(about.name) ?? ''
    const input = argumentsText(about.arguments)
    let call = this.#continued(index, id, name)
    if (call !== undefined && name !== '') {
      const isSame = index !== undefined && name === call.tool && input !== '' && input === call.input
      if (isSame && isWholeObject(input)) return
      if (this.#pieces.indexOf(call) >= begun || isNext(call, id, name, input)) call = undefined
    }
    if (call === undefined) {
      call = { type: 'call', index, id, tool: name, input: '', kept: new Map() }
      this.#pieces.push(call)
      this.#sink.call()
    }
    call.index ??= index
    if (call.id === '') call.id = id
    if (call.tool === '') call.tool = name
    // Some servers begin with an empty object, and send the arguments afterwards.
    const begins = call.input === '{}' && /^\s*\{/.test(input)
    call.input = begins ? input : call.input + input
    keepMembers(call.kept, delta)
  }

  /** Returns the call that a delta may continue: servers give an index, or an id, or only an order. */
  #continued(index: number | undefined, id: string, name: string): CallDraft | undefined {
    const calls = this.#pieces.filter((piece) => piece.type === 'call')
    const indexed = index === undefined ? undefined : calls.findLast((call) => call.index === index)
    if (indexed !== undefined) return indexed
    // A new index with a name is a new call, also where an id is repeated.
    if (index !== undefined && name !== '') return undefined
    if (id !== '') return calls.findLast((call) => call.id === id)
    return name === '' ? calls.at(-1) : undefined
  }

  #count(value: Json | undefined): void {
    const usage = objectOf(value)
    if (usage === undefined) return
    const input_tokens = countOf(usage.prompt_tokens) ?? countOf(usage.input_tokens)
    const output_tokens = countOf(usage.completion_tokens) ?? countOf(usage.output_tokens)
    this.#usage = { ...this.#usage, ...defined({ input_tokens, output_tokens }) }
  }

  answer(): WireAnswer {
    const finish = this.#finish ?? 'other'
    const calls = this.#pieces.filter((piece) => piece.type === 'call')
    const nameless = calls.some(({ tool }) => tool === '')
    if (nameless && (finish === 'stop' || finish === 'tool_calls'))
      throw new UnreadableCall('a call has no name')
    const named = calls.filter(({ tool }) => tool !== '')
    return {
      pieces: this.#pieces.flatMap((piece): AnswerPiece[] => {
        if (piece.type === 'text') return [piece]
        return piece.tool === '' ? [] : [{ type: 'call', id: piece.id, tool: piece.tool, input: piece.input }]
      }),
      finish: this.#refused && finish !== 'content_filter' ? 'refusal' : finish,
      usage: this.#usage,
      wireIds: new Set(named.map(({ id }) => id).filter((id) => id !== '')),
      kept: [
        ...recordable(this.#kept).map(([name, value]) => keptMember(name, value)),
        ...this.#parts.flatMap(({ part, chars }) =>
          recordable(new Map([['part', part]])).map(([, value]) => keptPart(value, chars)),
        ),
        ...named.flatMap(({ kept }, call) =>
          recordable(kept).map(([name, value]) => keptMember(name, value, call)),
        ),
      ],
    }
  }
}

/**
 * Returns true if a delta with a name begins another call: some servers give all parallel calls the same index or the
 * same id, and others repeat the name in each piece of one call.
 */
function isNext(call: CallDraft, id: string, name: string, input: string): boolean {
  if (id !== '' && call.id !== '' && call.id !== id) return true
  if (call.tool === '') return false
  if (name !== call.tool) return call.input === '' || isWholeObject(call.input)
  return input !== '' && isWholeObject(call.input)
}

function joinedTexts(before: JsonObject, next: JsonObject): JsonObject {
  const joined = Object.entries(next).flatMap(([name, value]): [string, Json][] => {
    const old = Object.hasOwn(before, name) ? before[name] : undefined
    if (name !== 'type' && typeof old === 'string' && typeof value === 'string') return [[name, old + value]]
    if (!Array.isArray(old) || !Array.isArray(value)) return []
    const [a, b] = [objectOf(old.at(-1)), objectOf(value[0])]
    const both =
      a?.type === 'text' && b?.type === 'text' && typeof a.text === 'string' && typeof b.text === 'string'
    return [
      [
        name,
        both
          ? [...old.slice(0, -1), { ...a, ...b, text: `${a.text}${b.text}` }, ...value.slice(1)]
          : [...old, ...value],
      ],
    ]
  })
  return Object.fromEntries(joined)
}
