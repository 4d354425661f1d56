import type { LanguageModelV4Message, SharedV4ProviderOptions } from '@ai-sdk/provider'
import { defined } from '../../document/defined.ts'
import { rawNumbers } from '../../document/exact-numbers.ts'
import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import type { AssistantMessage, Message, ToolCall } from '../../run/state.ts'
import { isKept, isKeptPart } from './answers/kept-members.ts'

export type AssistantPart = Exclude<
  Extract<LanguageModelV4Message, { role: 'assistant' }>['content'][number],
  { type: 'file' }
>

/** One part of an answer, in the order of the provider. */
export type AnswerPiece =
  | { readonly type: 'text'; readonly text: string; readonly metadata?: JsonObject }
  | { readonly type: 'reasoning'; readonly text: string; readonly metadata?: JsonObject }
  | {
      readonly type: 'call'
      readonly id: string
      readonly tool: string
      readonly input: string
      readonly metadata?: JsonObject
    }

/** A member of the message, or of one of its calls, that is sent back as it is. */
export function keptMember(member: string, value: Json, call?: number): JsonObject {
  return { member, value, ...defined({ call }) }
}

/** A part of the content that is sent back as it is, after this number of characters of the text. */
export function keptPart(part: Json, chars: number): JsonObject {
  return { part, chars }
}

/**
 * Returns the parts that must be sent back to the provider in addition to text and calls: signed reasoning with its
 * position, metadata of text and calls, and what {@link keptMember} and {@link keptPart} return. Null if there are none.
 */
export function opaqueParts(pieces: readonly AnswerPiece[], kept: readonly JsonObject[] = []): Json {
  const parts: Json[] = []
  let chars = 0
  let calls = 0
  for (const { type, metadata, ...piece } of pieces) {
    if (type === 'call') {
      if (metadata !== undefined) parts.push({ call: calls, metadata })
      calls += 1
      continue
    }
    const { text } = piece as { readonly text: string }
    if (type === 'reasoning' && metadata !== undefined)
      parts.push({ reasoning: text, metadata, chars, calls })
    if (type === 'text') {
      if (metadata !== undefined) parts.push({ text: text.length, metadata, chars, calls })
      chars += text.length
    }
  }
  const all = [...parts, ...kept]
  return all.length === 0 ? null : all
}

/** Reasoning, or a part of the text that has metadata of its own, at its place in the message. */
interface StoredPart {
  readonly reasoning?: string
  readonly text?: number
  readonly metadata: SharedV4ProviderOptions
  readonly chars: number
  readonly calls: number
}

/** Returns the parts of an answer in the order of the provider, including its opaque parts. */
export function withOpaqueParts(message: AssistantMessage, opaque: Json): AssistantPart[] {
  const stored = storedParts(opaque)
  const placed = stored.filter(
    ({ reasoning, text }) => typeof reasoning === 'string' || typeof text === 'number',
  ) as unknown as StoredPart[]
  const callMetadata = new Map(
    stored
      .filter(({ call, metadata }) => typeof call === 'number' && metadata !== undefined)
      .map(({ call, metadata }) => [call as number, metadata as SharedV4ProviderOptions]),
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
  for (const { reasoning, text, metadata, chars: atChars, calls: atCalls } of placed) {
    advance(atChars, atCalls)
    if (reasoning !== undefined) parts.push({ type: 'reasoning', text: reasoning, providerOptions: metadata })
    else {
      const end = chars + (text ?? 0)
      parts.push({ type: 'text', text: message.text.slice(chars, end), providerOptions: metadata })
      chars = end
    }
  }
  advance(message.text.length, message.calls.length)
  return parts
}

function storedParts(opaque: Json): readonly JsonObject[] {
  return Array.isArray(opaque) ? opaque.filter(isObject) : []
}

function callPart(call: ToolCall, metadata: SharedV4ProviderOptions | undefined): AssistantPart {
  return {
    type: 'tool-call',
    toolCallId: call.id,
    toolName: call.tool,
    input: rawNumbers(call.args),
    ...defined({ providerOptions: metadata }),
  }
}

/** What is added to one assistant message of a request in the form of chat completions. */
export interface SentBack {
  readonly text: string
  readonly stored: readonly JsonObject[]
}

/**
 * Returns what goes back with each assistant message of a conversation, in order; null where nothing does. Reasoning that
 * led to calls goes back with every later request, because some providers refuse the conversation without it; other
 * reasoning until its turn ends.
 * @param provider the parts of other providers stay here
 */
export function sentBack(messages: readonly Message[], provider: string): readonly (SentBack | null)[] {
  const turn = startOfTurn(messages)
  return messages.flatMap((message, at) => {
    if (message.role !== 'assistant') return []
    const { opaque, text, calls } = message
    const stored =
      opaque?.provider === provider && (calls.length > 0 || at > turn)
        ? storedParts(opaque.parts).filter(({ member, part }) => member !== undefined || part !== undefined)
        : []
    return [stored.length === 0 ? null : { text, stored }]
  })
}

/** Returns the index of the user's message that began the turn: it follows a final answer, or is the first one. */
function startOfTurn(messages: readonly Message[]): number {
  const isFinal = (message: Message | undefined) =>
    message === undefined || (message.role === 'assistant' && message.calls.length === 0)
  return messages.findLastIndex(
    (message, at) => message.role === 'user' && message.repair !== true && isFinal(messages[at - 1]),
  )
}

interface ChatMessage {
  readonly role?: string
  content?: Json
  readonly tool_calls?: Record<string, Json>[]
  [member: string]: unknown
}

/** Adds the opaque parts to the assistant messages of a request in the form of chat completions. */
export function addSentBack(messages: readonly ChatMessage[], back: readonly (SentBack | null)[]): void {
  const assistants = messages.filter(({ role }) => role === 'assistant')
  // The conversation was written in another way than it is known here: nothing is put into the wrong message.
  if (assistants.length !== back.length) return
  for (const [index, message] of assistants.entries()) {
    const { text, stored } = back[index] ?? { text: '', stored: [] }
    const content = contentWith(text, stored)
    if (content !== undefined) message.content = content
    for (const { member, value = null, call } of stored) {
      // A state of another platform may hold any name, also one that the runtime writes.
      if (typeof member !== 'string' || !isKept(member)) continue
      const target = call === undefined ? message : message.tool_calls?.[Number(call)]
      if (target !== undefined) target[member] = value
    }
  }
}

/** Returns the text and the parts between its pieces as a list; undefined if there are no parts. */
function contentWith(text: string, stored: readonly JsonObject[]): Json[] | undefined {
  const parts = stored.filter(({ part }) => part !== undefined && isObject(part) && isKeptPart(part))
  if (parts.length === 0) return undefined
  const content: Json[] = []
  let done = 0
  for (const { part = null, chars } of [...parts, { chars: text.length }] as JsonObject[]) {
    const piece = text.slice(done, Number(chars))
    if (piece !== '') content.push({ type: 'text', text: piece })
    done = Math.max(done, Number(chars))
    if (part !== null) content.push(part)
  }
  return content
}
