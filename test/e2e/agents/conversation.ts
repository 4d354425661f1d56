import type { JsonObject } from '../../../src/document/json.ts'

/** What a model is asked over the wire of OpenAI's chat completions. */
export interface Asked {
  readonly model: string
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
}

/** The latest turn of a conversation. Whoever decides by it alone says the same when asked again after a crash. */
export interface Conversation {
  /** The latest thing that the model was told. */
  readonly task: string
  /** What its calls since then have brought. */
  readonly results: readonly string[]
}

/** A text, calls, or null: the server refuses the question. */
export type Said = string | { readonly calls: readonly Call[] } | null
export type Call = readonly [tool: string, args: JsonObject]

export function wantsCalls(...calls: Call[]): Said {
  return { calls }
}

export function conversationOf({ messages }: Asked): Conversation {
  const from = messages.findLastIndex(({ role }) => role === 'user')
  return {
    task: String(messages[from]?.content),
    results: messages
      .slice(from + 1)
      .flatMap(({ role, content }) => (role === 'tool' ? [String(content)] : [])),
  }
}
