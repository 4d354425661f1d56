import { estimateTokenCount } from 'tokenx'
import type { Plan } from '../../plan/plan.ts'
import type { Message, RunState } from '../state.ts'

/**
 * How many tokens the next question holds: what a provider counted for an earlier one, and an estimate of what has
 * come since, so that a long run estimates each message once. Close for prose and code of most languages; text
 * without words (base64, hexadecimal) is underestimated. That is the harmless side: a question too long for a model
 * is refused by its provider and goes to the next route, while one wrongly thought too long would never be asked.
 * @param counted of the state after the fact, see `countedAfter`
 * @param added messages that the question will hold besides those of the state
 */
export function promptTokens(
  plan: Plan,
  state: RunState,
  counted: RunState['counted'],
  added: readonly Message[],
): number {
  let tokens = counted?.tokens ?? fixedTokens(plan)
  for (let at = counted?.messages ?? 0; at < state.messages.length; at++) {
    tokens += messageTokens(state.messages.items[at] as Message)
  }
  for (const message of added) tokens += messageTokens(message)
  return tokens
}

/** The system prompt and the tools as the model is told of them. */
function fixedTokens({ system_prompt, tools }: Plan): number {
  let tokens = estimateTokenCount(system_prompt)
  for (const { name, description, parameters_schema, gate } of tools) {
    if (gate !== 'deny')
      tokens += estimateTokenCount(JSON.stringify({ name, description, parameters_schema }))
  }
  return tokens
}

/** What a provider adds around each message. */
const FRAME_TOKENS = 4

function messageTokens(message: Message): number {
  return FRAME_TOKENS + estimateTokenCount(textOf(message))
}

function textOf(message: Message): string {
  switch (message.role) {
    case 'user':
      return message.text
    case 'assistant':
      return message.calls.reduce(
        (text, { tool, args, malformed }) => `${text}\n${tool} ${malformed ?? JSON.stringify(args)}`,
        message.text,
      )
    case 'tool':
      return typeof message.result === 'string' ? message.result : JSON.stringify(message.result)
  }
}
