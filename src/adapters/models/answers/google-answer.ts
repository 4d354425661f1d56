import { defined } from '../../../document/defined.ts'
import type { Json, JsonObject } from '../../../document/json.ts'
import type { Finish } from '../../../run/finish.ts'
import type { ReportedUsage } from '../../../run/ports.ts'
import type { AnswerPiece } from '../opaque-parts.ts'
import {
  type AnswerReader,
  type AnswerSink,
  argumentsText,
  countOf,
  laterReason,
  objectOf,
  objectsOf,
  textOf,
  UnreadableCall,
  type WireAnswer,
} from './answer-reader.ts'
import { finishOf } from './finish-reasons.ts'

/**
 * Reads answers of Google's API. Each event of a stream has the form of a whole answer.
 * @param jsonTool the tool by which the library asks for an answer in JSON: its call is the text
 */
export class GoogleAnswer implements AnswerReader {
  readonly #sink: AnswerSink
  readonly #jsonTool: string | undefined
  readonly #pieces: AnswerPiece[] = []
  readonly #wireIds = new Set<string>()
  #finish: Finish | undefined
  #nameless = false
  #json: string | undefined
  #usage: ReportedUsage = {}

  constructor(sink: AnswerSink, jsonTool?: string) {
    this.#sink = sink
    this.#jsonTool = jsonTool
  }

  get ended(): boolean {
    return this.#finish !== undefined
  }

  readonly closed = false

  read(data: JsonObject): void {
    this.#count(objectOf(data.usageMetadata))
    const blocked = textOf(objectOf(data.promptFeedback)?.blockReason)
    // A question that was blocked has no candidates.
    if (blocked !== undefined && !/^BLOCK(ED)?_REASON_UNSPECIFIED$/.test(blocked)) this.#end('prompt_blocked')
    const [candidate] = objectsOf(data.candidates)
    if (candidate === undefined) return
    const content = objectOf(candidate.content)
    for (const part of objectsOf(content?.parts)) this.#part(part)
    const reason = textOf(candidate.finishReason)
    if (reason !== undefined) this.#end(reason)
  }

  #end(reason: string): void {
    this.#finish = laterReason(this.#finish, finishOf(reason))
  }

  #part(part: JsonObject): void {
    const signature = textOf(part.thoughtSignature)
    const signed = signature === undefined ? {} : { metadata: { google: { thoughtSignature: signature } } }
    const call = objectOf(part.functionCall)
    if (call !== undefined) this.#call(call, signed)
    const { text } = part
    if (call !== undefined || typeof text !== 'string' || (text === '' && signature === undefined)) return
    const type = part.thought === true ? 'reasoning' : 'text'
    if (type === 'text' && text !== '') this.#sink.text(text)
    const last = this.#pieces.at(-1)
    // A signature belongs to its own part, and closes it.
    if (last?.type === type && last.metadata === undefined && text !== '')
      this.#pieces[this.#pieces.length - 1] = { ...last, text: last.text + text, ...signed }
    else this.#pieces.push({ type, text, ...signed })
  }

  #call(call: JsonObject, signed: { readonly metadata?: JsonObject }): void {
    const tool = textOf(call.name)
    const input = argumentsText(call.args)
    if (tool === undefined) {
      this.#nameless = true
      return
    }
    if (tool === this.#jsonTool) {
      this.#json = input === '' ? '{}' : input
      this.#sink.text(this.#json)
      return
    }
    this.#sink.call()
    const id = textOf(call.id) ?? ''
    if (id !== '') this.#wireIds.add(id)
    this.#pieces.push({ type: 'call', id, tool, input, ...signed })
  }

  #count(usage: JsonObject | undefined): void {
    if (usage === undefined) return
    const input_tokens = sum(usage.promptTokenCount, usage.toolUsePromptTokenCount)
    const output_tokens = sum(usage.candidatesTokenCount, usage.thoughtsTokenCount)
    this.#usage = { ...this.#usage, ...defined({ input_tokens, output_tokens }) }
  }

  answer(): WireAnswer {
    const finish = this.#finish ?? 'other'
    if (this.#nameless && (finish === 'stop' || finish === 'tool_calls'))
      throw new UnreadableCall('a call has no name')
    const json = this.#json
    // Text beside the call that is the answer does not belong to it.
    const others = this.#pieces.filter(({ type }) => type !== 'text')
    return {
      pieces: json === undefined ? this.#pieces : [...others, { type: 'text', text: json }],
      finish,
      usage: this.#usage,
      wireIds: this.#wireIds,
    }
  }
}

function sum(first: Json | undefined, second: Json | undefined): number | undefined {
  const [a, b] = [countOf(first), countOf(second)]
  return a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0)
}
