import { messageOf } from '../../document/message-of.ts'
import { networkCodeOf } from '../net/gate-refusal.ts'
import { shorten } from '../net/shorten.ts'

/**
 * Returns the message of an error: the missing program if a program cannot be started, and the code of a network error,
 * because "fetch failed" alone is not helpful.
 */
export function whyOf(error: unknown): string {
  const text = shorten(messageOf(error))
  const program = /^spawn (.+) ENOENT$/.exec(text)?.[1]
  if (program !== undefined) return `the program ${program}, or its working folder, does not exist`
  const code = networkCodeOf(error)
  return code === undefined || text.includes(code) ? text : `${text} (${code})`
}
