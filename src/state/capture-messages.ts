import { defined } from '../document/defined.ts'
import { exactText } from '../document/exact-numbers.ts'
import { messageTokens } from '../run/decide/prompt-tokens.ts'
import type { Log } from '../run/log.ts'
import type { AssistantMessage, Message, ToolCall, UserMessage } from '../run/state.ts'
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
    carried.push(...carriedMessage(message, conversation.length))
    conversation.push(...capturedMessage(message, times.at(at), tokensOf(message)))
  }
  return { conversation, carried }
}

/**
 * Returns a message as the messages of a state that stand for it. A message of a state names one call, so an answer of the
 * model has one message for each of its calls, and its text is in the first one.
 * @param time when it was added, milliseconds since the epoch
 * @param tokens of the message
 */
export function capturedMessage(
  message: Message,
  time: number | undefined,
  tokens: number,
): readonly StateMessage[] {
  const further = message.role === 'assistant' ? message.calls.slice(1) : []
  const parts = further.map((call): StateMessage & { readonly token_count: number } => ({
    role: 'assistant',
    content: '',
    ...nameOf(call),
    token_count: messageTokens({ role: 'assistant', text: '', calls: [call] }),
  }))
  const rest = parts.reduce((left, { token_count }) => left - token_count, tokens)
  const timestamp = time === undefined ? {} : { timestamp: new Date(time).toISOString() }
  const first: StateMessage = { ...captured(message), token_count: Math.max(0, rest), ...timestamp }
  return [first, ...parts.map((part) => ({ ...part, ...timestamp }))]
}

/** Returns how many messages of a state stand for a message. */
export function capturedLength(message: Message): number {
  return message.role === 'assistant' ? Math.max(1, message.calls.length) : 1
}

/** Returns what a message has besides, if it has something. @param at the index of the first message that stands for it */
export function carriedMessage(message: Message, at: number): readonly CarriedMessage[] {
  const besides = carriedOf(message)
  return Object.keys(besides).length > 0 ? [{ at, ...besides }] : []
}

function captured(message: Message): StateMessage {
  switch (message.role) {
    case 'user':
      return { role: isWrittenByRuntime(message) ? 'system' : 'user', content: message.text }
    case 'assistant':
      return { role: 'assistant', content: message.text, ...firstCall(message) }
    case 'tool':
      return {
        role: 'tool',
        content: exactText(message.result),
        tool_call_id: message.call_id,
        tool_name: message.tool,
      }
  }
}

/** Recalled memory, answers of other agents and requests for a repair are not words of the user. */
function isWrittenByRuntime({ recalled, others, repair }: UserMessage): boolean {
  return recalled !== undefined || others === true || repair === true
}

function firstCall({ calls: [call] }: AssistantMessage): Partial<StateMessage> {
  return call === undefined ? {} : nameOf(call)
}

function nameOf({ id, tool }: ToolCall): Pick<StateMessage, 'tool_call_id' | 'tool_name'> {
  return { tool_call_id: id, tool_name: tool }
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
