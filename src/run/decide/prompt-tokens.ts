import { estimateTokenCount } from 'tokenx'
import type { Program } from '../../plan/plan.ts'
import type { AssistantMessage, Message, RunState } from '../state.ts'

/**
 * The length of the next question. Estimating takes milliseconds for a long text, so it is done only when it
 * may matter.
 */
export interface PromptLength {
  /** Returns an upper bound of {@link estimate}, which is cheap to compute. */
  readonly atMost: () => number
  readonly estimate: () => number
}

/**
 * Returns how many tokens the next question holds: the provider's count for an earlier question plus an
 * estimate of the messages since then. The estimate is close for prose and code of most languages and too low
 * for text without words (base64, hexadecimal). Too low is the harmless side: the provider refuses the
 * question and it goes to the next route, while a question wrongly estimated as too long would never be sent.
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
/** Upper bound of the estimate for one UTF-16 unit; emoji come closest to it. */
const MOST_TOKENS_PER_UNIT = 2

/** Estimates the tokens of one message. */
export function messageTokens(message: Message): number {
  return FRAME_TOKENS + estimateTokenCount(textOf(message))
}

/**
 * Cached for long messages, which are measured again for every question while no provider has counted them.
 */
const mostOfLong = new WeakMap<Message, number>()
/** For a shorter text, measuring again is faster than a cache lookup. */
const LONG_UNITS = 2_000

function mostTokens(message: Message): number {
  const known = mostOfLong.get(message)
  if (known !== undefined) return known
  const units = textOf(message).length
  const tokens = FRAME_TOKENS + MOST_TOKENS_PER_UNIT * units
  if (units > LONG_UNITS) mostOfLong.set(message, tokens)
  return tokens
}

/** Returns the text of an answer whose tokens a provider counts. */
export function answerText({ text, calls }: Pick<AssistantMessage, 'text' | 'calls'>): string {
  return calls.reduce(
    (all, { tool, args, malformed }) => `${all}\n${tool} ${malformed ?? JSON.stringify(args)}`,
    text,
  )
}

function textOf(message: Message): string {
  switch (message.role) {
    case 'user':
      return message.text
    case 'assistant':
      return answerText(message)
    case 'tool':
      return typeof message.result === 'string' ? message.result : JSON.stringify(message.result)
  }
}
