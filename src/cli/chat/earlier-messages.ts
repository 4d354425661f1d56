import type { Message, RunState } from '../../run/state.ts'
import type { Io } from '../io.ts'
import { count } from '../terminal/amounts.ts'
import { painter } from '../terminal/paint.ts'
import { plainText } from '../terminal/plain-text.ts'
import { formattedText } from '../terminal/text-format.ts'

/** The number of messages that a resumed conversation shows. */
const SHOWN = 10

/** Returns the last messages of a conversation between the person and the agent, as the terminal showed them. */
export async function earlierMessages({ run_id, messages }: RunState, io: Io): Promise<string> {
  const paint = painter(io.color)
  const said = messages.toArray().filter(isSaid)
  const hidden = said.length - SHOWN
  const parts =
    hidden > 0
      ? [paint('faint', `· ${count(hidden, 'earlier message')}: waybill runs show ${run_id} shows all\n`)]
      : []
  for (const { role, text } of said.slice(-SHOWN)) {
    const shown = plainText(text).trim()
    parts.push(role === 'user' ? `${paint('accent', '>')} ${shown}\n` : await formattedText(shown, io))
  }
  return parts.join('')
}

/** Returns whether a person or the agent wrote the message for the other. */
function isSaid(message: Message): message is Exclude<Message, { readonly role: 'tool' }> {
  if (message.role === 'tool' || message.text.trim() === '') return false
  if (message.role === 'assistant') return true
  return message.repair !== true && message.recalled === undefined && message.others !== true
}
