import { defined } from '../document/defined.ts'
import { exactText } from '../document/exact-numbers.ts'
import type { Json, JsonObject } from '../document/json.ts'
import type { Decision, Fact } from './event.ts'
import { callsAfter } from './round.ts'
import type { CallEntry, Message, RunState, SteeringMessage } from './state.ts'
import { choiceAfter, isRolledBack, startsTurn } from './turn.ts'

/** Returns the messages that a fact and its decision add to the conversation. */
export function addedMessages(state: RunState, fact: Fact, decision: Decision): readonly Message[] {
  const settled = settledMessages(state, decision)
  const read = steeringRead(state, fact, decision).map(({ text }): Message => ({ role: 'user', text }))
  // An answer whose calls were all refused at once settles its own round: its results come after it.
  if (fact.type === 'model.answered') return [...messagesOf(fact, decision), ...settled, ...read]
  return startsTurn(fact)
    ? [...historyOf(fact), ...settled, ...read, ...messagesOf(fact, decision)]
    : [...settled, ...messagesOf(fact, decision), ...read]
}

function settledMessages({ calls }: RunState, decision: Decision): readonly Message[] {
  return decision.settle === true ? callsAfter(calls, decision).map(toMessage) : []
}

/**
 * Returns the user's messages to the turn that enter the conversation: with the next question to the agent's own model,
 * unless it only selects an answer of a worker, or with the next turn.
 */
function steeringRead(state: RunState, fact: Fact, decision: Decision): readonly SteeringMessage[] {
  const { steering } = state
  if (steering.length === 0) return steering
  if (fact.type === 'user.said')
    return steering.filter(({ message }) => message === undefined || message !== fact.message)
  const asked = decision.attempt !== undefined && choiceAfter(state, false, decision) === undefined
  return asked ? steering : []
}

/** Returns the user's messages to the turn that the model has not read after an event. */
export function steeringAfter(state: RunState, fact: Fact, decision: Decision): RunState['steering'] {
  if (fact.type === 'user.said' || isRolledBack(state, fact, decision)) return []
  if (fact.type === 'user.steered' && decision.steer === true) {
    const { input, message } = fact
    return [...state.steering, { text: textOf(input), ...defined({ message }) }]
  }
  return steeringRead(state, fact, decision).length > 0 ? [] : state.steering
}

/** Returns the ids of the messages that were taken in: read, refused, or rolled back before they were read. */
export function receivedAfter(state: RunState, fact: Fact, decision: Decision): RunState['received'] {
  const { received, steering } = state
  const taken = isRolledBack(state, fact, decision) ? steering : steeringRead(state, fact, decision)
  const refused = fact.type === 'user.steered' && decision.steer !== true
  const own = fact.type === 'user.said' || refused ? [fact.message] : []
  const ids = [...taken.map(({ message }) => message), ...own]
  return ids.length === 0 ? received : received.append(ids.filter((id) => id !== undefined))
}

/** Returns the conversation before the turn: its first message is the input of the turn. */
export function turnStartAfter(state: RunState, fact: Fact, decision: Decision): RunState['turn_start'] {
  if (!startsTurn(fact)) return state.turn_start
  const before = [historyOf(fact), settledMessages(state, decision), steeringRead(state, fact, decision)]
  const messages = before.reduce((sum, { length }) => sum + length, state.messages.length)
  return { messages, background: state.background }
}

/** Returns the last count of prompt tokens. If a provider does not report tokens, the estimate stands in for them. */
export function countedAfter(state: RunState, fact: Fact): RunState['counted'] {
  // The question to continue an answer holds messages that are not in the conversation.
  if (fact.type !== 'model.answered' || state.attempt?.continues === true) return state.counted
  const tokens = fact.usage.input_tokens > 0 ? fact.usage.input_tokens : state.attempt?.prompt_tokens
  return tokens === undefined ? state.counted : { tokens, messages: state.messages.length }
}

function historyOf(fact: Fact): readonly Message[] {
  return fact.type === 'run.started' ? (fact.history ?? []) : []
}

function toMessage(call: CallEntry): Message {
  return {
    role: 'tool',
    call_id: call.id,
    tool: call.tool,
    result: call.proposed === undefined ? (call.result ?? null) : editedResult(call),
    ...(call.error && { error: true as const }),
  }
}

/** The model has asked for other arguments, which its own message still shows. */
function editedResult({ args, result = null }: CallEntry): JsonObject {
  return { note: 'a person has changed the arguments of this call', arguments: args, result }
}

/** Returns the messages of a fact, then those that the runtime writes by its decision. */
function messagesOf(fact: Fact, decision: Decision): readonly Message[] {
  const written: readonly Message[] = [
    ...(decision.repair === undefined
      ? []
      : [{ role: 'user' as const, text: decision.repair, repair: true as const }]),
    ...(decision.recalled === undefined
      ? []
      : [{ role: 'user' as const, text: decision.recalled.text, recalled: decision.recalled.items }]),
    ...(decision.say === undefined
      ? []
      : [{ role: 'user' as const, text: decision.say, others: true as const }]),
  ]
  switch (fact.type) {
    case 'run.started':
      return [{ role: 'user', text: textOf(fact.input) }, ...written]
    case 'user.said':
      return [
        { role: 'user', text: textOf(fact.input), ...defined({ triggered: fact.triggered }) },
        ...written,
      ]
    case 'model.answered':
      return [fact.message, ...written]
    default:
      return written
  }
}

function textOf(input: Json): string {
  return typeof input === 'string' ? input : exactText(input)
}
