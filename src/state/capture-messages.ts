import { defined } from '../document/defined.ts'
import { messageTokens } from '../run/decide/prompt-tokens.ts'
import type { Log } from '../run/log.ts'
import type { Message } from '../run/state.ts'
import type { StateMessage } from '../spec/aaif/generated/state.ts'
import type { CarriedMessage } from './waybill-member.ts'

export interface CapturedMessages {
  readonly conversation: readonly StateMessage[]
  /** What the messages have besides, for those that have something. */
  readonly carried: readonly CarriedMessage[]
}

// A message never changes, and a run is captured again and again.
const TOKENS = new WeakMap<Message, number>()

/** Returns the conversation of a run as an Agent State holds it (AAIF §8.1), oldest first. */
export function captureMessages(messages: Log<Message>, times: Log<number>): CapturedMessages {
  const conversation: StateMessage[] = []
  const carried: CarriedMessage[] = []
  for (let at = 0; at < messages.length; at++) {
    const message = messages.at(at) as Message
    const time = times.at(at)
    conversation.push(capturedMessage(message, time, tokensOf(message)))
    carried.push(...carriedMessage(message, at))
  }
  return { conversation, carried }
}

/** @param time when it was added, milliseconds since the epoch */
export function capturedMessage(message: Message, time: number | undefined, tokens: number): StateMessage {
  return {
    ...captured(message),
    token_count: tokens,
    ...(time !== undefined && { timestamp: new Date(time).toISOString() }),
  }
}

/** Returns what a message has besides, if it has something. @param at its index */
export function carriedMessage(message: Message, at: number): readonly CarriedMessage[] {
  const besides = carriedOf(message)
  return Object.keys(besides).length > 0 ? [{ at, ...besides }] : []
}

function captured(message: Message): StateMessage {
  switch (message.role) {
    case 'user':
    case 'assistant':
      return { role: message.role, content: message.text }
    case 'tool':
      return {
        role: 'tool',
        content: JSON.stringify(message.result),
        tool_call_id: message.call_id,
        tool_name: message.tool,
      }
  }
}

function carriedOf(message: Message): Omit<CarriedMessage, 'at'> {
  switch (message.role) {
    case 'user': {
      const { role: _role, text: _text, ...members } = message
      return members
    }
    case 'assistant': {
      const { calls, opaque } = message
      return { ...(calls.length > 0 && { calls }), ...defined({ opaque }) }
    }
    case 'tool':
      return defined({ error: message.error })
  }
}

function tokensOf(message: Message): number {
  let tokens = TOKENS.get(message)
  if (tokens === undefined) {
    tokens = messageTokens(message)
    TOKENS.set(message, tokens)
  }
  return tokens
}
