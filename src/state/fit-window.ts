import type { Program } from '../plan/plan.ts'
import { messageTokens } from '../run/decide/prompt-tokens.ts'
import type { Message } from '../run/state.ts'

/** Returns the context window of the eligible model with the largest one; undefined if one is not known. */
export function largestWindow({ plan }: Pick<Program, 'plan'>): number | undefined {
  const eligible = plan.models.filter((model) => model.eligible)
  const windows = eligible.map(({ context_window }) => context_window)
  if (windows.length === 0 || windows.includes(undefined)) return undefined
  return Math.max(...windows.map((window) => window ?? 0))
}

/** Returns the tokens of the window that no message can have: system prompt, tools and answer. */
export function reservedTokens(program: Pick<Program, 'plan' | 'fixedTokens'>): number {
  return program.fixedTokens() + (program.plan.params.max_tokens ?? 0)
}

/**
 * Returns the indexes of the messages that fit a window (AAIF §8.1): the newest are kept, and no result of a tool is kept
 * without the answer that called it. If they do not begin with a message of the user, the last one before them is kept as
 * well: providers require it, and it says what the answers are about.
 * @param fixed tokens of the system prompt and the tools, and of the answer
 * @param tokens of each message; absent: they are counted
 */
export function messagesThatFit(
  messages: readonly Message[],
  window: number,
  fixed: number,
  tokens: readonly number[] = messages.map(messageTokens),
): readonly number[] {
  const all = messages.map((_message, index) => index)
  let free = window - fixed - tokens.reduce((sum, each) => sum + each, 0)
  if (free >= 0) return all
  let from = 0
  let input: number | undefined
  while (from < messages.length - 1 && (free < 0 || messages[from]?.role === 'tool')) {
    if (messages[from]?.role === 'user') {
      if (input !== undefined) free += tokens[input] ?? 0
      input = from
    } else free += tokens[from] ?? 0
    from++
  }
  // A result without its answer is of no use.
  while (from > 0 && messages[from]?.role === 'tool') from--
  const tail = all.slice(from)
  return input === undefined || messages[from]?.role === 'user' ? tail : [input, ...tail]
}
