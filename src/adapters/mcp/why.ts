import { networkCodeOf } from '../net/gate-refusal.ts'
import { shorten } from '../net/shorten.ts'

/** What an error says, with the code of the network's below it: "fetch failed" alone helps nobody. */
export function whyOf(error: unknown): string {
  const said = shorten(error instanceof Error ? error.message : String(error))
  const code = networkCodeOf(error)
  return code === undefined || said.includes(code) ? said : `${said} (${code})`
}
