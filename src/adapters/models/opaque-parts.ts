import type { LanguageModelV4Message, SharedV4ProviderOptions } from '@ai-sdk/provider'
import { defined } from '../../document/defined.ts'
import type { Json, JsonObject } from '../../document/json.ts'
import type { AssistantMessage, ToolCall } from '../../run/state.ts'

export type AssistantPart = Exclude<
  Extract<LanguageModelV4Message, { role: 'assistant' }>['content'][number],
  { type: 'file' }
>

/** One part of an answer, in the order of the provider. */
export type AnswerPiece =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string; readonly metadata?: JsonObject }
  | {
      readonly type: 'call'
      readonly id: string
      readonly tool: string
      readonly input: string
      readonly metadata?: JsonObject
    }

/**
 * Returns the parts that must be sent back to the provider in addition to text and calls: signed reasoning with its
 * position, and metadata of calls. Null if there are none. Reasoning without metadata is not kept, because providers do
 * not require it.
 */
export function opaqueParts(pieces: readonly AnswerPiece[]): Json {
  const parts: Json[] = []
  let chars = 0
  let calls = 0
  for (const piece of pieces) {
    if (piece.type === 'text') chars += piece.text.length
    else if (piece.type === 'call') {
      if (piece.metadata !== undefined) parts.push({ call: calls, metadata: piece.metadata })
      calls += 1
    } else if (piece.metadata !== undefined) {
      parts.push({ reasoning: piece.text, metadata: piece.metadata, chars, calls })
    }
  }
  return parts.length === 0 ? null : parts
}

interface StoredReasoning {
  readonly reasoning: string
  readonly metadata: SharedV4ProviderOptions
  readonly chars: number
  readonly calls: number
}

/** Returns the parts of an answer in the order of the provider, including its opaque parts. */
export function withOpaqueParts(message: AssistantMessage, opaque: Json): AssistantPart[] {
  const stored = Array.isArray(opaque) ? opaque : []
  const reasonings: StoredReasoning[] = stored.filter((part) => typeof part.reasoning === 'string')
  const callMetadata = new Map<number, SharedV4ProviderOptions>(
    stored.filter((part) => typeof part.call === 'number').map((part) => [part.call, part.metadata]),
  )
  const parts: AssistantPart[] = []
  let chars = 0
  let calls = 0
  const advance = (toChars: number, toCalls: number) => {
    const text = message.text.slice(chars, toChars)
    if (text !== '') parts.push({ type: 'text', text })
    chars = Math.max(chars, toChars)
    for (; calls < Math.min(toCalls, message.calls.length); calls += 1) {
      parts.push(callPart(message.calls[calls] as ToolCall, callMetadata.get(calls)))
    }
  }
  for (const { reasoning, metadata, chars: atChars, calls: atCalls } of reasonings) {
    advance(atChars, atCalls)
    parts.push({ type: 'reasoning', text: reasoning, providerOptions: metadata })
  }
  advance(message.text.length, message.calls.length)
  return parts
}

function callPart(call: ToolCall, metadata: SharedV4ProviderOptions | undefined): AssistantPart {
  return {
    type: 'tool-call',
    toolCallId: call.id,
    toolName: call.tool,
    input: call.args,
    ...defined({ providerOptions: metadata }),
  }
}
