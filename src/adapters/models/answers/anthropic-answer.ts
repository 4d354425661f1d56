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
  textOf,
  UnreadableCall,
  type WireAnswer,
} from './answer-reader.ts'
import { finishOf } from './finish-reasons.ts'

type Block =
  | { readonly type: 'text'; text: string }
  | { readonly type: 'thinking'; text: string; signature: string }
  | { readonly type: 'redacted'; readonly data: string }
  | { readonly type: 'call'; readonly id: string; readonly tool: string; readonly input: Json; json: string }
  | { readonly type: 'ignored' }

/**
 * Reads messages of Anthropic's API and of compatible servers.
 * @param jsonTool the tool by which the library asks for an answer in JSON: its call is the text
 */
export class AnthropicAnswer implements AnswerReader {
  readonly #sink: AnswerSink
  readonly #jsonTool: string | undefined
  readonly #blocks: Block[] = []
  readonly #byIndex = new Map<Json | undefined, Block>()
  #finish: Finish | undefined
  #closed = false
  #input: number | undefined
  #output: number | undefined

  constructor(sink: AnswerSink, jsonTool?: string) {
    this.#sink = sink
    this.#jsonTool = jsonTool
  }

  get ended(): boolean {
    return this.#finish !== undefined
  }

  get closed(): boolean {
    return this.#closed
  }

  read(data: JsonObject, event?: string): void {
    switch (textOf(data.type) ?? event ?? 'message') {
      case 'message_start':
        this.#message(objectOf(data.message) ?? {})
        break
      case 'content_block_start':
        this.#begin(data.index, objectOf(data.content_block) ?? {})
        break
      case 'content_block_delta':
        this.#delta(data.index, objectOf(data.delta) ?? {})
        break
      case 'message_delta':
        this.#count(data.usage)
        this.#end(objectOf(data.delta)?.stop_reason)
        break
      case 'message_stop':
        this.#closed = true
        this.#finish ??= 'other'
        break
      case 'content_block_stop':
      case 'ping':
        break
      default:
        if (data.content !== undefined || data.stop_reason !== undefined) this.#message(data)
    }
  }

  #message({ content, usage, stop_reason }: JsonObject): void {
    this.#count(usage)
    if (typeof content === 'string') this.#begin(undefined, { type: 'text', text: content })
    for (const block of Array.isArray(content) ? content : []) this.#begin(undefined, objectOf(block) ?? {})
    this.#end(stop_reason)
  }

  #end(reason: Json | undefined): void {
    const name = textOf(reason)
    if (name !== undefined) this.#finish = laterReason(this.#finish, finishOf(name))
  }

  #begin(index: Json | undefined, content: JsonObject): void {
    const block = this.#blockOf(content)
    this.#blocks.push(block)
    this.#byIndex.set(index, block)
    if (block.type === 'call') this.#sink.call()
    if (block.type === 'text' && block.text !== '') this.#sink.text(block.text)
  }

  #blockOf(content: JsonObject): Block {
    switch (content.type) {
      case 'thinking':
        return {
          type: 'thinking',
          text: textOf(content.thinking) ?? '',
          signature: textOf(content.signature) ?? '',
        }
      case 'redacted_thinking':
        return { type: 'redacted', data: textOf(content.data) ?? '' }
      case 'tool_use': {
        const { id, name, input = null } = content
        return { type: 'call', id: textOf(id) ?? '', tool: textOf(name) ?? '', input, json: '' }
      }
      case 'text':
        return { type: 'text', text: textOf(content.text) ?? '' }
      default:
        // A part without a type is a text; tools that the provider runs itself are ignored.
        return textOf(content.type) === undefined && typeof content.text === 'string'
          ? { type: 'text', text: content.text }
          : { type: 'ignored' }
    }
  }

  #delta(index: Json | undefined, delta: JsonObject): void {
    const block = this.#byIndex.get(index) ?? this.#blocks.at(-1)
    const text = textOf(delta.text)
    const thinking = textOf(delta.thinking)
    const json = textOf(delta.partial_json)
    if (text !== undefined) {
      if (block?.type === 'text') {
        block.text += text
        this.#sink.text(text)
      } else this.#begin(index, { type: 'text', text })
    } else if (thinking !== undefined) {
      if (block?.type === 'thinking') block.text += thinking
      else this.#begin(index, { type: 'thinking', thinking })
    } else if (json !== undefined && block?.type === 'call') {
      block.json += json
      if (this.#isText(block)) this.#sink.text(json)
    } else if (block?.type === 'thinking') block.signature += textOf(delta.signature) ?? ''
  }

  #isText(block: Block): boolean {
    return block.type === 'call' && block.tool === this.#jsonTool
  }

  #count(value: Json | undefined): void {
    const usage = objectOf(value)
    if (usage === undefined) return
    const input = countOf(usage.input_tokens)
    const cached =
      (countOf(usage.cache_creation_input_tokens) ?? 0) + (countOf(usage.cache_read_input_tokens) ?? 0)
    if (input !== undefined) this.#input = input + cached
    this.#output = countOf(usage.output_tokens) ?? this.#output
  }

  #pieceOfCall(block: Block & { readonly type: 'call' }, finish: Finish): AnswerPiece[] {
    const input = block.json === '' ? argumentsText(block.input) : block.json
    if (this.#isText(block)) return [{ type: 'text', text: input === '' ? '{}' : input }]
    if (block.tool !== '') return [{ type: 'call', id: block.id, tool: block.tool, input }]
    if (finish === 'stop' || finish === 'tool_calls') throw new UnreadableCall('a call has no name')
    return []
  }

  answer(): WireAnswer {
    const finish = this.#finish ?? 'other'
    const asJson = this.#blocks.some((block) => this.#isText(block))
    const pieces = this.#blocks.flatMap((block): AnswerPiece[] => {
      switch (block.type) {
        case 'text':
          return asJson || block.text === '' ? [] : [{ type: 'text', text: block.text }]
        case 'thinking': {
          // A compatible server that does not sign its reasoning may still need it back.
          const metadata: JsonObject = { anthropic: { signature: block.signature } }
          return [{ type: 'reasoning', text: block.text, metadata }]
        }
        case 'redacted':
          return [{ type: 'reasoning', text: '', metadata: { anthropic: { redactedData: block.data } } }]
        case 'call':
          return this.#pieceOfCall(block, finish)
        default:
          return []
      }
    })
    return {
      pieces,
      finish: asJson && finish === 'tool_calls' ? 'stop' : finish,
      usage: usageOf(this.#input, this.#output),
      wireIds: new Set(
        this.#blocks.flatMap((block) => (block.type === 'call' && block.id !== '' ? [block.id] : [])),
      ),
    }
  }
}

function usageOf(input_tokens: number | undefined, output_tokens: number | undefined): ReportedUsage {
  return {
    ...(input_tokens !== undefined && { input_tokens }),
    ...(output_tokens !== undefined && { output_tokens }),
  }
}
