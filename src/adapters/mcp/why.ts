import { messageOf } from '../../document/message-of.ts'
import { networkCodeOf } from '../net/gate-refusal.ts'
import { shorten } from '../net/shorten.ts'

/** What an error says: of a program that cannot be started what is missing, of the network's its code as well for "fetch failed" alone helps nobody. */
export function whyOf(error: unknown): string {
  const said = shorten(messageOf(error))
  const program = /^spawn (.+) ENOENT$/.exec(said)?.[1]
  if (program !== undefined) return `there is no program ${program}, or no folder to start it in`
  const code = networkCodeOf(error)
  return code === undefined || said.includes(code) ? said : `${said} (${code})`
}
