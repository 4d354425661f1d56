import { posix } from 'node:path'
import ipaddr from 'ipaddr.js'

/**
 * One way to read a path or URL. A URL has several spellings, and which of them a server treats as equal is not known:
 * `exact` is the reading of the URL standard, `loose` is that of the most lenient server. In both a prefix is compared
 * with what was normalised in the same way.
 */
export interface SourceReading {
  readonly form: 'path' | 'exact' | 'loose'
  /** Scheme, host and port; empty for a path. */
  readonly origin: string
  /** Without a slash at the end. */
  readonly path: string
  readonly query: string
  /** Written with a slash at the end: covers what is below it, and not itself. */
  readonly folder: boolean
  /** Any host of this scheme, in a prefix such as `https://`. */
  readonly anyHost?: true
}

/** Returns the readings of a path or URL, of the source of a definition or of a prefix in the configuration. */
export function readingsOf(source: string): readonly SourceReading[] {
  const scheme = /^(https?):\/*$/i.exec(source)?.[1]?.toLowerCase()
  if (scheme !== undefined) {
    const any = { path: '', query: '', folder: true, anyHost: true } as const
    return [
      { form: 'exact', origin: `${scheme}://`, ...any },
      { form: 'loose', origin: '', ...any },
    ]
  }
  const url = /^https?:/i.test(source) ? URL.parse(source) : null
  if (url === null) {
    const path = posix.normalize(source)
    return [{ form: 'path', origin: '', path: withoutSlash(path), query: '', folder: path.endsWith('/') }]
  }
  const host = url.hostname.replace(/\.$/, '')
  const exact = plainEscapes(url.pathname)
  return [
    {
      form: 'exact',
      origin: `${url.protocol}//${host}:${url.port}`,
      path: withoutSlash(exact),
      query: url.search,
      folder: exact.endsWith('/'),
    },
    {
      form: 'loose',
      origin: `${sameMachine(host)}:${url.port}`,
      path: loosePath(url.pathname),
      query: '',
      folder: false,
    },
  ]
}

/** Returns whether a prefix covers a source, which must be a reading of the same form. Matches whole parts of a path. */
export function coversSource(prefix: SourceReading, source: SourceReading): boolean {
  if (prefix.form !== source.form) return false
  if (prefix.anyHost === true) return source.origin.startsWith(prefix.origin)
  if (prefix.origin !== source.origin) return false
  if (prefix.query !== '') return prefix.path === source.path && prefix.query === source.query
  return (
    (prefix.path === source.path && (!prefix.folder || source.folder)) ||
    source.path.startsWith(`${prefix.path}/`)
  )
}

function withoutSlash(path: string): string {
  return path.replace(/(?<!\/)\/+$|^\/+$/, '')
}

/** Decodes escapes that are never needed, and writes the others with capitals (RFC 3986 §6.2.2). */
function plainEscapes(path: string): string {
  return path.replace(/%[0-9a-f]{2}/gi, (escaped) => {
    const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16))
    return /[A-Za-z0-9._~-]/.test(character) ? character : escaped.toUpperCase()
  })
}

/** Some servers decode more than once. */
const DECODED_TIMES = 3

/**
 * Reads a path like servers that decode `%2f`, accept `\`, merge slashes, drop control and invisible characters,
 * parameters of a part (`;v=1`), an escaped query, spaces and dots at its end, and ignore case and width.
 */
function loosePath(path: string): string {
  let decoded = path
  for (let time = 0; time < DECODED_TIMES; time++) decoded = decodedOnce(decoded)
  const parts: string[] = []
  const plain = decoded.normalize('NFKC').replace(HIDDEN, '').replaceAll('+', ' ')
  for (const given of plain.replaceAll('\\', '/').split('/')) {
    const part = given.replace(/[;?#].*$/s, '').trim()
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part.replace(/(?<=[^. ])[. ]+$/, ''))
  }
  return parts.map((part) => `/${part.toLowerCase()}`).join('')
}

const HIDDEN = /[\p{Cc}\p{Default_Ignorable_Code_Point}]/gu

function decodedOnce(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) =>
    Buffer.from(escapes.replaceAll('%', ''), 'hex').toString('utf8'),
  )
}

/** `localhost`, names below it, and the names that systems add for it. */
const LOCAL_NAMES =
  /^(?:(?:.*\.)?localhost|localhost[46]?(?:\.localdomain[46]?)?|ip6-(?:localhost|loopback))$/

/** Returns one name for all usual names of this machine, and the IPv4 address of an IPv6 address that contains it. */
function sameMachine(host: string): string {
  const bare = host.replace(/^\[|\]$/g, '')
  if (LOCAL_NAMES.test(host)) return 'localhost'
  if (!ipaddr.isValid(bare)) return host
  const address = ipaddr.process(bare)
  const range = address.range()
  return range === 'loopback' || range === 'unspecified' ? 'localhost' : address.toString()
}
