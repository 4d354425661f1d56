import type { NewPolicy } from './policy.ts'

/** What a policy is chosen by. */
export interface Asked {
  readonly agent_id: string
  readonly tool: string
}

/** Returns whether a policy applies to a question. */
export function matches({ match = {} }: Pick<NewPolicy, 'match'>, { agent_id, tool }: Asked): boolean {
  if (match.agent_id !== undefined && match.agent_id !== agent_id) return false
  return match.tool === undefined || isLike(tool, match.tool)
}

/** Returns whether a text has the form of a pattern, in which `*` is any text. Linear for each `*`. */
export function isLike(text: string, pattern: string): boolean {
  const parts = pattern.split('*')
  const first = parts[0] ?? ''
  const last = parts.at(-1) ?? ''
  if (parts.length === 1) return text === pattern
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last))
    return false
  // The earliest place of each part leaves most for the others.
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = text.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return at <= text.length - last.length
}
