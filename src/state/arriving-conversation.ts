import { messageTokens } from '../run/decide/prompt-tokens.ts'
import type { Message } from '../run/state.ts'
import { messagesThatFit } from './fit-window.ts'
import { MessageParts } from './message-parts.ts'
import type { RestoredMessages } from './restore-messages.ts'

/** A conversation that a restore gets apart from its state. */
export interface ArrivedConversation {
  /** How many messages have arrived. */
  readonly length: number
  /** How many of them do not fit the context window. */
  readonly cut: number
  /** How many events with messages are stored already. */
  readonly stored: number
  /** The messages that fit, without those of stored events. */
  readonly kept: RestoredMessages
}

/** Stores the messages of one event, with their times. */
export type StoreMessages = (part: RestoredMessages) => Promise<void>

/** Takes a conversation while it arrives, in bounded memory, and keeps what `messagesThatFit` keeps of the whole. */
export interface ArrivingConversation {
  add(part: RestoredMessages): Promise<void>
  arrived(): ArrivedConversation
}

/** A conversation of which all messages are kept: events are stored as soon as they are full. */
export class WholeConversation implements ArrivingConversation {
  readonly #store: StoreMessages
  readonly #parts = new MessageParts()
  #length = 0
  #stored = 0

  constructor(store: StoreMessages) {
    this.#store = store
  }

  async add({ messages, times }: RestoredMessages): Promise<void> {
    this.#length += messages.length
    for (const [index, message] of messages.entries()) {
      const part = this.#parts.add(message, times[index] ?? 0)
      if (part === undefined) continue
      this.#stored++
      await this.#store(part)
    }
  }

  arrived(): ArrivedConversation {
    return { length: this.#length, cut: 0, stored: this.#stored, kept: this.#parts.take() }
  }
}

interface Entry {
  readonly message: Message
  readonly time: number
  readonly tokens: number
}

/**
 * A conversation of which only the newest messages fit the context window: older ones are forgotten when so many tokens
 * follow them that they cannot fit.
 */
export class FittedConversation implements ArrivingConversation {
  readonly #window: number
  readonly #fixed: number
  /** The newest messages; the first of them is not a result of a tool, unless it is the first of all. */
  #newest: Entry[] = []
  /** Of `#newest`: entries before it are forgotten. */
  #from = 0
  /** The last message of the user among the forgotten ones. */
  #input: Entry | undefined
  #tokens = 0
  #forgotten = 0

  /** @param fixed tokens of the system prompt and the tools, and of the answer */
  constructor(window: number, fixed: number) {
    this.#window = window
    this.#fixed = fixed
  }

  async add({ messages, times }: RestoredMessages): Promise<void> {
    for (const [index, message] of messages.entries()) {
      const tokens = messageTokens(message)
      this.#newest.push({ message, time: times[index] ?? 0, tokens })
      this.#tokens += tokens
    }
    this.#forget()
  }

  arrived(): ArrivedConversation {
    // More than a window follows what was forgotten, so it cannot fit, and the same messages are found without it.
    const newest = this.#newest.slice(this.#from)
    const entries = this.#input === undefined ? newest : [this.#input, ...newest]
    const all = entries.map(({ message }) => message)
    const tokens = entries.map((entry) => entry.tokens)
    const kept = messagesThatFit(all, this.#window, this.#fixed, tokens).flatMap((at) => entries[at] ?? [])
    return {
      length: this.#forgotten + newest.length,
      cut: this.#forgotten + newest.length - kept.length,
      stored: 0,
      kept: { messages: kept.map(({ message }) => message), times: kept.map(({ time }) => time) },
    }
  }

  /** Forgets an answer with its results, or another message, if what follows is more than the window. */
  #forget(): void {
    for (;;) {
      let to = this.#from + 1
      while (this.#newest[to]?.message.role === 'tool') to++
      if (to >= this.#newest.length) break
      const group = this.#newest.slice(this.#from, to)
      const size = group.reduce((sum, { tokens }) => sum + tokens, 0)
      if (this.#tokens - size <= this.#window) break
      for (const entry of group) if (entry.message.role === 'user') this.#input = entry
      this.#tokens -= size
      this.#forgotten += group.length
      this.#from = to
    }
    if (this.#from < 1000) return
    this.#newest = this.#newest.slice(this.#from)
    this.#from = 0
  }
}
