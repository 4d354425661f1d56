import type { Message } from '../state.ts'

/**
 * Returns a conversation in the order for a model: the memory items of a turn before its question, although they are
 * read after it. The last text of a user is then the question. The order of a turn does not change while it lasts, so
 * that providers can cache the prompt.
 */
export function memoryFirst(messages: readonly Message[]): readonly Message[] {
  const ordered: Message[] = []
  for (const message of messages) {
    let at = ordered.length
    if (message.role === 'user' && message.recalled !== undefined) while (isQuestion(ordered[at - 1])) at--
    ordered.splice(at, 0, message)
  }
  return ordered
}

function isQuestion(message: Message | undefined): boolean {
  return message?.role === 'user' && message.recalled === undefined && message.repair === undefined
}
