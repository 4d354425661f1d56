import { isIPv6 } from 'node:net'

/** The parts of a URI that the rules for cards need. */
export interface Uri {
  /** In lower case. */
  readonly scheme: string
  /** Undefined without `//`. */
  readonly host: string | undefined
}

// One character class each, with a separate check of escapes: a repeated group overflows the stack for very long texts.
const PATH = /^[\w\-.~!$&'()*+,;=:@/%]*$/
const QUERY = /^[\w\-.~!$&'()*+,;=:@/?%]*$/
const USER_INFO = /^[\w\-.~!$&'()*+,;=:%]*$/
const REG_NAME = /^[\w\-.~!$&'()*+,;=%]*$/
const BAD_ESCAPE = /%(?![0-9A-Fa-f]{2})/
const FUTURE_IP = /^v[0-9A-Fa-f]+\.[\w\-.~!$&'()*+,;=:]+$/i

/**
 * Reads a URI by the grammar of RFC 3986 §3; undefined if the text is not a URI. Relative references are not accepted.
 */
export function readUri(text: string): Uri | undefined {
  const parts = /^([A-Za-z][A-Za-z0-9+.-]*):(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(text)
  if (parts === null || BAD_ESCAPE.test(text)) return undefined
  const [, scheme = '', authority, path = '', query = '', fragment = ''] = parts
  if (!PATH.test(path) || !QUERY.test(query) || !QUERY.test(fragment)) return undefined
  if (authority === undefined) return { scheme: scheme.toLowerCase(), host: undefined }
  const host = hostOf(authority)
  return host === undefined ? undefined : { scheme: scheme.toLowerCase(), host }
}

/** Parses `userinfo@host:port`; returns undefined for other texts. */
function hostOf(authority: string): string | undefined {
  const at = authority.lastIndexOf('@')
  if (!USER_INFO.test(authority.slice(0, Math.max(0, at)))) return undefined
  const parts = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/.exec(authority.slice(at + 1))
  if (parts === null) return undefined
  const [, host = ''] = parts
  if (!host.startsWith('[')) return REG_NAME.test(host) ? host : undefined
  const literal = host.slice(1, -1)
  return (isIPv6(literal) && !literal.includes('%')) || FUTURE_IP.test(literal) ? host : undefined
}
