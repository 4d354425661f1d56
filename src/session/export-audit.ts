import { NO_ENTRY, nextKeyOf, parseEntry } from '../trust/audit-chain.ts'
import { exportHead } from '../trust/verify-audit-chain.ts'
import type { Home } from './home.ts'

/**
 * Returns an audit log with a signed head as its last line, so that an export that was cut is detected.
 * @param text the entries as NDJSON, with at least one
 */
export function withSignedHead(home: Pick<Home, 'sign'>, text: string): string {
  const last = parseEntry(text.trimEnd().split('\n').at(-1) ?? '')
  const head = exportHead({ n: last?.n ?? 0, hash: last?.hash ?? NO_ENTRY }, new Date().toISOString())
  return `${text}${JSON.stringify({ ...head, ...home.sign(head, last === null ? undefined : nextKeyOf(last)) })}\n`
}
