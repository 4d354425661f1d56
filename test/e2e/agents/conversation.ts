import type { JsonObject } from '../../../src/document/json.ts'

/** A request in the form of OpenAI's chat completions. */
export interface Asked {
  readonly model: string
  readonly messages: readonly { readonly role: string; readonly content: unknown }[]
}

/** The latest turn of a conversation. A model that depends on it alone gives the same answer after a crash. */
export interface Conversation {
  /** The latest message of the user. */
  readonly task: string
  /** The results of its calls since then. */
  readonly results: readonly string[]
}

/** A text, calls, or null: the server refuses the request. */
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
