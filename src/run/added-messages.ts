import type { Json } from '../document/json.ts'
import type { Decision, Fact } from './event.ts'
import { callsAfter } from './round.ts'
import type { CallEntry, Message, RunState } from './state.ts'

/** Returns the messages that a fact and its decision add to the conversation. */
export function addedMessages(state: RunState, fact: Fact, decision: Decision): readonly Message[] {
  const settled = decision.settle === true ? callsAfter(state.calls, decision).map(toMessage) : []
  // An answer whose calls were all refused at once settles its own round: its results come after it.
  return fact.type === 'model.answered'
    ? [...messagesOf(fact, decision), ...settled]
    : [...historyOf(fact), ...settled, ...messagesOf(fact, decision)]
}

/** Returns the last count of prompt tokens. If a provider does not report tokens, the estimate stands in for them. */
export function countedAfter(state: RunState, fact: Fact): RunState['counted'] {
  if (fact.type !== 'model.answered') return state.counted
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
    result: call.result ?? null,
    ...(call.error && { error: true as const }),
  }
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
    case 'user.said':
      return [{ role: 'user', text: textOf(fact.input) }, ...written]
    case 'model.answered':
      return [fact.message, ...written]
    default:
      return written
  }
}

function textOf(input: Json): string {
  return typeof input === 'string' ? input : JSON.stringify(input)
}
