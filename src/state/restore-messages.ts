import { defined } from '../document/defined.ts'
import { parseExact } from '../document/exact-numbers.ts'
import type { Json } from '../document/json.ts'
import type { AssistantMessage, Message, ToolCall } from '../run/state.ts'
import type { AgentState, PendingToolCall, StateMessage } from '../spec/aaif/generated/state.ts'
import type { Fidelity } from './fidelity.ts'
import { foreignPending } from './open-question.ts'
import type { CarriedMessage } from './waybill-member.ts'

export interface RestoredMessages {
  readonly messages: readonly Message[]
  /** When each was added, milliseconds since the epoch. */
  readonly times: readonly number[]
}

/** Returns the conversation of an Agent State that Waybill captured: exactly the captured one. */
export function carriedMessages(
  { conversation = [] }: AgentState,
  carried: readonly CarriedMessage[],
  at: number,
): RestoredMessages {
  return carriedReader(carried, at)(conversation)
}

/** Returns a function that restores the messages of such a conversation part by part. */
export function carriedReader(
  carried: readonly CarriedMessage[],
  at: number,
): (part: readonly StateMessage[]) => RestoredMessages {
  const besides = new Map(carried.map((one) => [one.at, one]))
  let length = 0
  /** The calls of the last answer that have messages of their own, which are still to come. */
  let further: readonly ToolCall[] = []
  return (part) => {
    const messages: Message[] = []
    const times: number[] = []
    for (const message of part) {
      const own = besides.get(length++)
      if (own?.open === true) continue
      const [next, ...others] = further
      if (next !== undefined && own === undefined && message.tool_call_id === next.id) {
        further = others
        continue
      }
      // States of earlier versions name no calls, and have one message for each answer.
      further = message.tool_call_id === undefined ? [] : (own?.calls?.slice(1) ?? [])
      messages.push(carriedMessage(message, own))
      times.push(timeOf(message, at))
    }
    return { messages, times }
  }
}

function carriedMessage(message: StateMessage, besides: CarriedMessage | undefined): Message {
  const { at: _at, calls, opaque, error, open: _open, ...members } = besides ?? { at: 0 }
  switch (message.role) {
    case 'assistant':
      return { role: 'assistant', text: message.content, calls: calls ?? [], ...defined({ opaque }) }
    case 'tool':
      return { ...toolMessage(message), ...defined({ error }) }
    case 'system':
    case 'user':
      return { role: 'user', text: message.content, ...members }
  }
}

/**
 * Returns the conversation of an Agent State of another platform. The format has no place for the arguments of calls in
 * answers of the model, which providers require before each result, so the calls are added from the results that follow.
 * Messages that only name a call are a part of the answer before them, or have no meaning without a result.
 */
export function foreignMessages(document: AgentState, at: number, report: Fidelity): RestoredMessages {
  const { conversation = [] } = document
  const messages: Message[] = []
  const times: number[] = []
  const add = (message: Message, time: number) => {
    messages.push(message)
    times.push(time)
  }
  let open: { index: number; ids: Set<string> } | null = null
  let invented = 0
  let prompts = 0
  const pending = foreignPending(document)
  const answered = new Set([
    ...conversation.flatMap(({ role, tool_call_id }) => (role === 'tool' ? [tool_call_id] : [])),
    ...pending.map(({ id }) => id),
  ])
  const answer = (time: number): { index: number; ids: Set<string> } => {
    const last = messages.at(-1)
    if (last?.role === 'assistant') return { index: messages.length - 1, ids: new Set() }
    add({ role: 'assistant', text: '', calls: [] }, time)
    return { index: messages.length - 1, ids: new Set() }
  }
  const addCall = (call: ToolCall, time: number) => {
    open ??= answer(time)
    const { index, ids } = open
    const message = messages[index] as AssistantMessage
    ids.add(call.id)
    messages[index] = { ...message, calls: [...message.calls, call] }
  }
  for (const [index, message] of conversation.entries()) {
    const time = timeOf(message, at)
    switch (message.role) {
      case 'system':
        // The definition has the prompt of this agent; a later text may not gain its authority.
        if (messages.length === 0) prompts++
        else add({ role: 'user', text: message.content, others: true }, time)
        open = null
        break
      case 'user':
        add({ role: 'user', text: message.content }, time)
        open = null
        break
      case 'assistant': {
        const onlyNamesCall = message.content === '' && message.tool_call_id !== undefined
        const isPart = onlyNamesCall && messages.at(-1)?.role === 'assistant'
        if (isPart || (onlyNamesCall && !answered.has(message.tool_call_id ?? ''))) break
        add({ role: 'assistant', text: message.content, calls: [] }, time)
        open = null
        break
      }
      case 'tool': {
        const id = message.tool_call_id ?? `restored_${index}`
        const tool = message.tool_name ?? 'unknown'
        addCall({ id, tool, args: {} }, time)
        add(toolMessage({ ...message, tool_call_id: id, tool_name: tool }), time)
        invented++
        break
      }
    }
  }
  addPending(pending, messages, addCall, at)
  if (prompts > 0)
    report.leftBehind('conversation', 'the system prompt of the source: that of the definition is used')
  if (invented > 0)
    report.approximated(
      'conversation',
      `the arguments of ${invented === 1 ? 'an earlier call' : `${invented} earlier calls`} are not in the state`,
    )
  return { messages, times }
}

/** The results of pending calls follow the answer that made them, so they belong to the last one. */
function addPending(
  pending: readonly PendingToolCall[],
  messages: readonly Message[],
  addCall: (call: ToolCall, time: number) => void,
  at: number,
): void {
  const known = new Set(
    messages.flatMap((message) => (message.role === 'assistant' ? message.calls.map(({ id }) => id) : [])),
  )
  for (const { id, tool_name, arguments: args } of pending)
    if (!known.has(id)) addCall({ id, tool: tool_name, args }, at)
}

function toolMessage({ content, tool_call_id = '', tool_name = '' }: StateMessage): Message {
  return { role: 'tool', call_id: tool_call_id, tool: tool_name, result: parsed(content) }
}

function parsed(content: string): Json {
  try {
    return parseExact(content)
  } catch {
    return content
  }
}

function timeOf({ timestamp }: StateMessage, at: number): number {
  const time = timestamp === undefined ? Number.NaN : Date.parse(timestamp)
  return Number.isNaN(time) ? at : time
}
