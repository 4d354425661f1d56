import { isIPv6 } from 'node:net'
import type { Found } from './found.ts'

/** The special schemes of the URL standard: their slashes may be missing, doubled, or backslashes. */
const SPECIAL = new Set(['http', 'https', 'ws', 'wss', 'ftp'])
/** Schemes without a host that a program hands to another program, or that carry their own content. */
const OPAQUE = new Set(
  (
    'mailto tel sms smsto mms sip sips xmpp xmpps im pres acct callto facetime facetime-audio skype whatsapp tg ' +
    'telegram signal sgnl matrix mx slack discord msteams teams zoommtg zoomus viber wechat weixin line kakaotalk ' +
    'threema irc ircs irc6 mumble nostr session wire mastodon feed webcal news nntp geo magnet ipfs ipns dweb bitcoin ' +
    'lightning ethereum monero data javascript vbscript view-source blob about intent market itms-apps fb-messenger ' +
    'fax modem h323 rtsp rtmp ldap ldaps smb nfs ssh sftp scp git svn gopher telnet jar jdbc urn-mailbox'
  ).split(' '),
)
/** Schemes whose identifier is a phone number. */
const NUMBERED =
  /^(?:tel|sms|smsto|mms|callto|facetime|facetime-audio|whatsapp|signal|sgnl|viber|fax|modem|sip|sips)$/
/** Names before a colon that begin a hash, an identifier, a host with a port, or the subject of an answer. */
const NO_SCHEME =
  /^(?:sha\d*|md5|crc32|blake\w*|urn|uuid|id|did|doi|isbn|arn|oid|tag|localhost|re|aw|fwd?|wg|sv|tr|antw|node|npm|pypi|cargo)$|^[a-z]?\d/
const MARKS = '.,;:!?*_~`|'
/** Maximum length of a host with its port: a longer text is not parsed as a host. */
const LONGEST_HOST = 300

/** Finds URLs, also in the unusual forms that parsers of the URL standard accept, and URIs without a host. */
export function findUrls(text: string): readonly Found[] {
  const read = readerOf(text)
  return [...wholeUrl(text), ...schemes(text, read), ...withoutScheme(text, read)]
}

/** A URL parser takes the whole text, so line breaks, quotes and spaces in it do not end the host. */
function wholeUrl(text: string): readonly Found[] {
  const start = text.search(/[^\s\p{Cc}]/u)
  if (start < 0) return []
  const list = text.slice(start).search(/[\r\n][ \t]*[a-z][a-z0-9+.-]{0,30}:[\\/]{2}/)
  const line = text.slice(start, start + Math.max(0, list))
  // A line for each URL is a list, not one URL.
  const one = /^[a-z][a-z0-9+.-]*:/.test(line) ? line : text.slice(start)
  const scheme = /^[a-z][a-z0-9+.\-\t\r\n]{0,60}(?=:)/.exec(one)?.[0]
  if (scheme === undefined && !/^[\\/]/.test(one)) return []
  // A parser ignores line breaks in a scheme, but the word on the line before a URL does not belong to its scheme.
  const joined = scheme?.replaceAll(/\s/g, '') ?? ''
  if (joined !== scheme && joined !== '' && joined !== 'file' && !SPECIAL.has(joined)) return []
  const host = hostOf(one)
  if (host === '' || /[,;|](?:https?|wss?|ftp)$/.test(host)) return []
  const end = start + Math.max(1, one.search(/\s|$/))
  return [{ start, end, key: host, kind: 'url', counts: 'anywhere' }]
}

/** Returns the host to which a fetcher connects; empty if there is none. */
function hostOf(text: string): string {
  const relative = /^[\\/]/.test(text)
  const url = relative ? URL.parse(text, 'https://base.invalid/') : URL.parse(text)
  const host = url?.hostname ?? ''
  return relative && host === 'base.invalid' ? '' : withoutDots(host)
}

function schemes(text: string, read: Reader): readonly Found[] {
  const found: Found[] = []
  let authorityEnd = 0
  let tokenEnd = 0
  let searched = 0
  for (let at = text.indexOf(':'); at >= 0; at = text.indexOf(':', at + 1)) {
    if (at < authorityEnd) continue
    let first = at
    while (first > authorityEnd && /[a-z0-9+.-]/.test(text[first - 1] as string)) first--
    while (first < at && !/[a-z]/.test(text[first] as string)) first++
    const scheme = text.slice(first, at)
    if (scheme === '') continue
    const url = hierarchical(text, read, first, scheme)
    if (url !== null) {
      for (const one of url.found) found.push(one)
      for (const one of addressesIn(text, Math.max(searched, url.authorityEnd), url.end)) found.push(one)
      searched = Math.max(searched, url.end)
      authorityEnd = url.authorityEnd
    } else if (at >= tokenEnd) {
      const uri = opaque(text, read, first, scheme)
      for (const one of uri) found.push(one)
      // A token is one URI at most, but it may contain URLs.
      tokenEnd = uri[0]?.end ?? 0
    }
  }
  return found
}

interface Read {
  readonly found: readonly Found[]
  /** A colon before this offset belongs to a port, a password or an IPv6 address. */
  readonly authorityEnd: number
  readonly end: number
}

const ADDRESS = /[\p{L}\p{N}_.+%-]{1,64}@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)*\.\p{L}{2,}/gu

/** Finds addresses in a path or a query. */
function addressesIn(text: string, start: number, end: number): readonly Found[] {
  if (start >= end) return []
  return [...text.slice(start, end).matchAll(ADDRESS)].map(({ 0: key, index }) => {
    const from = start + index
    return { start: from, end: from + key.length, key, kind: 'email', counts: 'anywhere' }
  })
}

function hierarchical(text: string, read: Reader, first: number, scheme: string): Read | null {
  const special = SPECIAL.has(scheme)
  let from = first + scheme.length + 1
  if (special) from = read.afterBlanks(from)
  let slashes = from
  while (text[slashes] === '/' || text[slashes] === '\\') slashes++
  if (slashes - from < 2 && !special) return null
  const { host, end: authorityEnd, other = '' } = read.authority(slashes)
  // Without two slashes, the text after the colon is a host only if a parser takes it as one.
  if (host === '' && slashes - from < 2) return null
  const end = read.rest(authorityEnd)
  if (end === slashes) return null
  // A URL without a host is its own key.
  const keys = host === '' ? [text.slice(first, end)] : other === '' ? [host] : [host, other]
  const found = keys.map((key): Found => ({ start: first, end, key, kind: 'url', counts: 'anywhere' }))
  return { found, authorityEnd, end }
}

function opaque(text: string, read: Reader, first: number, scheme: string): readonly Found[] {
  const from = first + scheme.length + 1
  const end = read.trimmed(from)
  // `std::vector`, `@user:server` and `[IPv6:::1]` are not URIs.
  if (end <= from || /[:"'<>)}\s]/.test(text[from] ?? ' ')) return []
  if (/[\p{L}\p{N}@#!:[{]/u.test(text[first - 1] ?? ' ')) return []
  const rest = text.slice(from, end)
  if (OPAQUE.has(scheme)) return uris(scheme, rest, first, end)
  // `eve@(x)evil:80`: behind a comment, it is the domain of an address.
  if (text[first - 1] === ')') return []
  if (scheme.length < 2 || SPECIAL.has(scheme) || NO_SCHEME.test(scheme) || rest.includes('@')) return []
  if ((scheme.includes('.') && /^\d/.test(rest)) || isIPv6(text.slice(first, end))) return []
  // `priority:high` is a label; `redis:6379` may be a host and a port, or a name and a number.
  const label = /^[\p{L}\p{M}_-]+$/u.test(rest) || /^\d+$/.test(rest)
  // `evil.example:drop` is a host before a path.
  const counts = label && !/\.\p{L}{2,}$/u.test(scheme) ? 'named' : 'alone'
  return [{ start: first, end, key: `${scheme}:${rest}`, kind: 'unclear', counts }]
}

/** Returns the addresses or the number in a URI; another URI is its own key. */
function uris(scheme: string, rest: string, start: number, end: number): readonly Found[] {
  const addresses = rest.split(/[?&=,;]/).filter((part) => part.includes('@'))
  const digits = /^[^\p{L}]*/u.exec(rest)?.[0].replaceAll(/[^\d+]/g, '') ?? ''
  const number = NUMBERED.test(scheme) && digits.length > 2 ? digits : `${scheme}:${rest}`
  const keys = addresses.length > 0 ? addresses.map((part) => part.replace(/^\/+/, '')) : [number]
  return keys.map((key) => ({ start, end, key, kind: 'uri', counts: 'anywhere' }))
}

/** `//host/path` and `\\host\share`, which a reader resolves with a scheme of its own. */
function withoutScheme(text: string, read: Reader): readonly Found[] {
  const found: Found[] = []
  for (const match of text.matchAll(/(?<![^\s"'<>([{=,;|\uE000])[\\/]{2,}(?=[^\s\\/])/g)) {
    const start = match.index
    const { host, end } = read.authority(start + match[0].length)
    if (host === '') continue
    const counts = /[.[]/.test(host) ? 'anywhere' : 'alone'
    found.push({ start, end: read.rest(end), key: host, kind: 'url', counts })
  }
  return found
}

interface Authority {
  readonly host: string
  readonly end: number
  /** The host that a person reads, if a parser reads another. */
  readonly other?: string
}

/**
 * Reads parts of a text. All reads from one run of characters end at the same offset, which is searched only once: a
 * token with many colons takes linear time.
 */
interface Reader {
  /** Returns the host of an authority, and the offset after it; the host is empty if no parser accepts it. */
  authority(from: number): Authority
  /** Returns the end of a path and a query. */
  rest(from: number): number
  /** Like `rest`, without punctuation at the end. */
  trimmed(from: number): number
  /** Returns the offset after tabs and line breaks that a parser ignores before a slash. */
  afterBlanks(from: number): number
}

const AUTHORITY = /[^\s"'<>)}\\/?#,;|\uE000]*/y

function readerOf(text: string): Reader {
  const authorities = runs(text, AUTHORITY)
  // Apart from the others, because hosts are behind the places that are read next.
  const hosts = runs(text, AUTHORITY)
  const users = runs(text, /[^\s\\/?#\uE000]*/y)
  const rests = runs(text, /[^\s"'<>\])}\uE000]*/y)
  const blanks = runs(text, /[\t\r\n]*/y)
  const signs = new Map<number, number>()
  const lastSign = (from: number): number => {
    const { start, end } = users(from)
    let sign = signs.get(start)
    if (sign === undefined) {
      sign = start + text.slice(start, end).lastIndexOf('@')
      signs.set(start, sign)
    }
    return sign
  }
  return {
    authority(from) {
      const sign = lastSign(from)
      const { end } = authorities(from)
      const plain = hostAt(text, from, end)
      if (sign < from) return plain
      const behind = hostAt(text, sign + 1, hosts(sign + 1).end)
      if (behind.host === '') return plain
      // A quote or a bracket before the sign ends the URL for a person, but belongs to the user for a parser.
      return sign > end ? { ...behind, other: plain.host } : behind
    },
    rest: (from) => rests(from).end,
    trimmed: (from) => rests(from).trimmed,
    afterBlanks(from) {
      const { end } = blanks(from)
      return text[end] === '/' || text[end] === '\\' ? end : from
    },
  }
}

interface Run {
  readonly start: number
  readonly end: number
  readonly trimmed: number
}

function runs(text: string, pattern: RegExp): (from: number) => Run {
  let last: Run = { start: 0, end: 0, trimmed: 0 }
  return (from) => {
    if (from >= last.start && from < last.end) return last
    pattern.lastIndex = from
    const end = from + (pattern.exec(text)?.[0].length ?? 0)
    last = { start: from, end, trimmed: withoutMarks(text, from, end) }
    return last
  }
}

function withoutMarks(text: string, start: number, end: number): number {
  let at = end
  while (at > start && MARKS.includes(text[at - 1] as string)) at--
  return at
}

function hostAt(text: string, start: number, end: number): Authority {
  if (end - start > LONGEST_HOST) return { host: '', end: start }
  const whole = withoutMarks(text, start, end)
  const host = parsedHost(text.slice(start, whole))
  const bracket = text.slice(start, whole).indexOf(']')
  if (host !== '' || bracket < 0) return { host, end: whole }
  const inside = withoutMarks(text, start, start + bracket)
  return { host: parsedHost(text.slice(start, inside)), end: inside }
}

function parsedHost(authority: string): string {
  const url = authority === '' ? null : URL.parse(`https://${authority}`)
  return withoutDots(url?.hostname ?? '')
}

function withoutDots(host: string): string {
  let end = host.length
  while (host[end - 1] === '.') end--
  return host.slice(0, end)
}
