import type { Program } from '../plan/plan.ts'
import type { FactOf } from '../run/event.ts'
import type { Message } from '../run/state.ts'
import type { AgentState } from '../spec/aaif/generated/state.ts'
import type { ArrivedConversation } from './arriving-conversation.ts'
import type { Fidelity } from './fidelity.ts'
import { largestWindow, messagesThatFit, reservedTokens } from './fit-window.ts'
import { MessageParts } from './message-parts.ts'
import { carriedMessages, foreignMessages, type RestoredMessages } from './restore-messages.ts'
import type { RestoreOptions } from './restore-options.ts'
import type { SentOutline } from './sent-outline.ts'
import type { WaybillMember } from './waybill-member.ts'

/** Returns the messages that fit the context window of the new model (AAIF §8.2), and reports the others. */
export function conversationOf(
  document: AgentState,
  member: WaybillMember | undefined,
  { program, at, conversation }: RestoreOptions,
  report: Fidelity,
): ArrivedConversation {
  const arrived =
    conversation !== undefined && 'roles' in conversation
      ? outlined(conversation, program)
      : (conversation ??
        (member === undefined
          ? fitted(foreignMessages(document, at, report), program)
          : fitted(carriedMessages(document, member.messages, at), program)))
  const { cut, length } = arrived
  if (cut > 0)
    report.approximated(
      'conversation',
      `the oldest ${cut} of ${length} messages do not fit the context window of ${largestWindow(program)} tokens`,
    )
  else if (length > 0) report.kept('conversation', `${length} messages`)
  return arrived
}

/** Returns what would be kept of a conversation of which only the outline is known. */
function outlined({ roles, tokens }: SentOutline, program: Program): ArrivedConversation {
  const messages = [...roles].map((letter) => OUTLINED[letter as keyof typeof OUTLINED])
  return fitted({ messages, times: [] }, program, tokens)
}

const OUTLINED = {
  u: { role: 'user', text: '' },
  a: { role: 'assistant', text: '', calls: [] },
  t: { role: 'tool', call_id: '', tool: '', result: null },
} as const satisfies Readonly<Record<string, Message>>

function fitted(all: RestoredMessages, program: Program, tokens?: readonly number[]): ArrivedConversation {
  const { messages, times } = all
  const window = largestWindow(program)
  const length = messages.length
  const kept =
    window === undefined ? undefined : messagesThatFit(messages, window, reservedTokens(program), tokens)
  if (kept === undefined) return { length, cut: 0, stored: 0, kept: all }
  return {
    length,
    cut: length - kept.length,
    stored: 0,
    kept: {
      messages: kept.flatMap((index) => messages[index] ?? []),
      times: kept.flatMap((index) => times[index] ?? []),
    },
  }
}

/** Returns the events that store messages. */
export function messageFacts({ messages, times }: RestoredMessages): readonly FactOf<'messages.restored'>[] {
  const facts: FactOf<'messages.restored'>[] = []
  const parts = new MessageParts()
  const add = (part: RestoredMessages | undefined) => {
    if (part !== undefined && part.messages.length > 0) facts.push({ type: 'messages.restored', ...part })
  }
  for (const [index, message] of messages.entries()) add(parts.add(message, times[index] ?? 0))
  add(parts.take())
  return facts
}
