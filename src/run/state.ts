import type { Json, JsonObject } from '../document/issue.ts'

/** Tokens of one call or of many. */
export interface Usage {
  readonly input_tokens: number
  readonly output_tokens: number
}

export interface ToolCall {
  /** Unique in the run: the provider's id, or one made for it when missing or repeated. */
  readonly id: string
  readonly tool: string
  /** The arguments as data; text that is no JSON object travels as `{}` with `malformed` set to that text. */
  readonly args: JsonObject
  readonly malformed?: string
}

export interface UserMessage {
  readonly role: 'user'
  readonly text: string
  /** Written by the runtime, not by a person: asks the model to repair its answer. */
  readonly repair?: true
}

export interface AssistantMessage {
  readonly role: 'assistant'
  readonly text: string
  readonly calls: readonly ToolCall[]
  /** Parts that only the same provider understands (signed reasoning), sent back to it unchanged. */
  readonly opaque?: { readonly provider: string; readonly parts: Json }
}

export interface ToolMessage {
  readonly role: 'tool'
  readonly call_id: string
  readonly tool: string
  readonly result: Json
  readonly error?: true
}

export type Message = UserMessage | AssistantMessage | ToolMessage
