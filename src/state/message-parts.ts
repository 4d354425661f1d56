import type { Message } from '../run/state.ts'
import type { RestoredMessages } from './restore-messages.ts'

/** The messages of one event, and about its characters: larger texts of JSON are slower to free after they were parsed. */
export const MESSAGES_PER_EVENT = 200
const CHARACTERS_PER_EVENT = 64 * 1024

/** Gathers messages to the parts that are stored as one event each. */
export class MessageParts {
  #messages: Message[] = []
  #times: number[] = []
  #size = 0

  /** Adds a message. @returns the part that is full with it, if it is */
  add(message: Message, time: number): RestoredMessages | undefined {
    this.#messages.push(message)
    this.#times.push(time)
    this.#size += sizeOf(message)
    const isFull = this.#messages.length >= MESSAGES_PER_EVENT || this.#size >= CHARACTERS_PER_EVENT
    return isFull ? this.take() : undefined
  }

  /** Returns the messages since the last part, and begins a new one. */
  take(): RestoredMessages {
    const part = { messages: this.#messages, times: this.#times }
    this.#messages = []
    this.#times = []
    this.#size = 0
    return part
  }
}

function sizeOf(message: Message): number {
  if (message.role !== 'tool') return message.text.length
  return typeof message.result === 'string' ? message.result.length : JSON.stringify(message.result).length
}
