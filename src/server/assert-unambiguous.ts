import type { IncomingMessage } from 'node:http'
import { WaybillError } from '../document/issue.ts'

/** Headers that decide who asks, for what and how much. Node.js uses the first of two, and a proxy may use the last. */
const ONCE: ReadonlySet<string> = new Set([
  'authorization',
  'content-encoding',
  'content-length',
  'content-type',
  'cookie',
  'host',
  'idempotency-key',
  'last-event-id',
  'origin',
  'transfer-encoding',
  'upgrade',
])

/** A name or an address, and a port (RFC 9110 §7.2): no user, no path, no list. */
const HOST = /^(?:\[[0-9a-f:.]+\]|[a-z0-9._~-]+)(?::\d{1,5})?$/i

/**
 * Refuses a request that others may read in another way than this server: a proxy in front, or a log. The HTTP parser
 * refuses most of them, such as two lengths or folded headers.
 * @param target as it was sent
 * @throws REQUEST_MALFORMED
 */
export function assertUnambiguous(
  { headers, rawHeaders, httpVersion }: Pick<IncomingMessage, 'headers' | 'rawHeaders' | 'httpVersion'>,
  target: string,
): void {
  const seen = new Set<string>()
  for (const [index, raw] of rawHeaders.entries()) {
    if (index % 2 === 1) continue
    const name = raw.toLowerCase()
    if (seen.has(name)) throw ambiguous(`the header ${name} is there twice`, 'send it once')
    if (ONCE.has(name)) seen.add(name)
  }
  const { host, 'transfer-encoding': coding } = headers
  if (host === undefined && httpVersion !== '1.0') throw ambiguous('the header host is missing', 'send it')
  if (host !== undefined && !HOST.test(host))
    throw ambiguous('the header host is not a host with a port', 'send the host of the URL')
  if (coding !== undefined && (coding.toLowerCase() !== 'chunked' || httpVersion !== '1.1'))
    throw ambiguous('this transfer-encoding is not supported', 'send content-length, or chunked in HTTP/1.1')
  if (target.includes('#')) throw ambiguous('the path contains a fragment', 'send the path without it')
  if (target.startsWith('/') || target === '*') return
  if (authorityOf(target) !== host?.toLowerCase())
    throw ambiguous('the target and the header host name two servers', 'send the host of the URL as host')
}

/** Returns the target without the server that it names, if it names one: `/v1/runs` for `http://localhost/v1/runs`. */
export function originForm(target: string): string {
  return authorityOf(target) === undefined ? target : target.replace(/^https?:\/\/[^/?#]*/i, '') || '/'
}

function authorityOf(target: string): string | undefined {
  return /^https?:\/\/([^/?#]*)/i.exec(target)?.[1]?.toLowerCase()
}

function ambiguous(message: string, hint: string): WaybillError {
  return new WaybillError('REQUEST_MALFORMED', { fault: 'usage', message, hint })
}
