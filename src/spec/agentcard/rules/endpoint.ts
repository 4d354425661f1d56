import type { Finding } from '../../../document/finding.ts'
import type { JsonObject } from '../../../document/json.ts'
import { objectAt, textAt } from '../../loose-members.ts'
import { readUri, type Uri } from '../uri.ts'
import type { Strictness } from './rule.ts'

/** URI schemes of each protocol. The draft defines those of http and https; the others are common practice. */
const SCHEMES: Readonly<Record<string, readonly string[]>> = {
  http: ['http'],
  https: ['https'],
  grpc: ['grpc', 'grpcs', 'http', 'https', 'dns'],
  mcp: ['mcp', 'http', 'https', 'ws', 'wss', 'stdio'],
  stdio: ['stdio', 'file', 'exec'],
  websocket: ['ws', 'wss'],
  sse: ['http', 'https'],
}

/** Checks that endpoint.url is a URI whose scheme agrees with the protocol (§2.5.2, §5 rule 6). */
export function* checkEndpoint(card: JsonObject, { lenient }: Strictness): Iterable<Finding> {
  const endpoint = objectAt(card, 'endpoint')
  const url = textAt(endpoint, 'url')
  if (url === undefined) return
  const protocol = textAt(endpoint, 'protocol')
  const uri = readUri(url)
  if (uri === undefined || ((uri.scheme === 'http' || uri.scheme === 'https') && uri.host === '')) {
    yield notUri(url, protocol)
    return
  }
  if (protocol !== undefined) yield* checkScheme(protocol, uri, lenient)
}

function* checkScheme(protocol: string, uri: Uri, lenient: boolean): Iterable<Finding> {
  const expected = Object.hasOwn(SCHEMES, protocol) ? SCHEMES[protocol] : undefined
  const isWeb = protocol === 'http' || protocol === 'https'
  if (expected === undefined) return
  // `https:host` has the scheme, but does not begin with https://.
  if (expected.includes(uri.scheme) && !(isWeb && uri.host === undefined)) return
  // The community repository has no protocol https: its cards use http for both.
  const dialect = lenient && protocol === 'http' && uri.scheme === 'https' && uri.host !== undefined
  yield {
    severity: isWeb && !dialect ? 'error' : 'warning',
    code: 'PROTOCOL_URL_MISMATCH',
    pointer: '/endpoint/url',
    message: `protocol is ${protocol}, but the url does not begin with ${expected.map((scheme) => `${scheme}:${isWeb ? '//' : ''}`).join(' or ')}`,
    hint:
      isWeb && /^https?$/.test(uri.scheme)
        ? `write "protocol": "${uri.scheme}", or change the url`
        : 'make protocol and url agree',
    rule: 'CARD-2.5-03',
  }
}

function notUri(url: string, protocol: string | undefined): Finding {
  return {
    severity: 'error',
    code: 'URL_INVALID',
    pointer: '/endpoint/url',
    message: url === '' ? 'url is empty' : 'url is not a URI with a scheme (RFC 3986)',
    hint: hintFor(url, protocol),
    rule: 'CARD-5-04',
  }
}

function hintFor(url: string, protocol: string | undefined): string {
  if (protocol === 'stdio') return 'write a URI, such as file:///opt/agents/clerk or stdio:clerk'
  if (/[^\x20-\x7e]/.test(url))
    return 'percent-encode characters that are not ASCII; write a host name in its xn-- form'
  if (/\s/.test(url)) return 'percent-encode spaces as %20'
  if (!/^[a-z][a-z0-9+.-]*:/i.test(url)) return 'write it with its scheme, such as https://agents.example/api'
  return 'percent-encode characters that are not allowed in a URI; http and https need a host'
}
