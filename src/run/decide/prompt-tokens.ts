import { estimateTokenCount } from 'tokenx'
import type { Program } from '../../plan/plan.ts'
import type { Message, RunState } from '../state.ts'

/** How long the next question is. Estimating takes milliseconds for a long text, so it is only done when it may matter. */
export interface PromptLength {
  /** Returns a number of tokens that {@link estimate} does not exceed. */
  readonly atMost: () => number
  readonly estimate: () => number
}

/**
 * How many tokens the next question holds: what a provider counted for an earlier one, and an estimate of what has
 * come since. Close for prose and code of most languages; text without words (base64, hexadecimal) is
 * underestimated. That is the harmless side: a question too long for a model is refused by its provider and goes to
 * the next route, while one wrongly thought too long would never be asked.
 * @param counted of the state after the fact, see `countedAfter`
 * @param added messages that the question will hold besides those of the state
 */
export function promptLength(
  program: Program,
  state: RunState,
  counted: RunState['counted'],
  added: readonly Message[],
): PromptLength {
  const sum = (tokensOf: (message: Message) => number) => {
    let tokens = counted?.tokens ?? program.fixedTokens()
    for (let at = counted?.messages ?? 0; at < state.messages.length; at++) {
      tokens += tokensOf(state.messages.at(at) as Message)
    }
    for (const message of added) tokens += tokensOf(message)
    return tokens
  }
  return { atMost: () => sum(mostTokens), estimate: () => sum(messageTokens) }
}

/** What a provider adds around each message. */
const FRAME_TOKENS = 4
/** The estimate never exceeds this for a UTF-16 unit; emoji come closest. */
const MOST_TOKENS_PER_UNIT = 2

function messageTokens(message: Message): number {
  return FRAME_TOKENS + estimateTokenCount(textOf(message))
}

/** Of long messages, which are met again with every question whose tokens no provider has counted. */
const mostOfLong = new WeakMap<Message, number>()
/** Remembering costs more than measuring a shorter text again. */
const LONG_UNITS = 2_000

function mostTokens(message: Message): number {
  const known = mostOfLong.get(message)
  if (known !== undefined) return known
  const units = textOf(message).length
  const tokens = FRAME_TOKENS + MOST_TOKENS_PER_UNIT * units
  if (units > LONG_UNITS) mostOfLong.set(message, tokens)
  return tokens
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
