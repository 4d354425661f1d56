import { domainToASCII } from 'node:url'
import type { Counts, Found } from './found.ts'

/** RFC 5322 §3.2.3 atext and the dot, letters of all scripts (RFC 6532), and halves of surrogate pairs. */
const LOCAL = /[\p{L}\p{N}\p{M}\p{So}\ud800-\udfff!#$%&'*+/=?^_`{|}~.-]/u
const LABEL = /[\p{L}\p{N}\p{M}\ud800-\udfff_-]/u
/** The end of an address in angle brackets, which may be behind the dot of a complete domain. */
const CLOSING = /^\.?[ \t\r\n]*>/
const SPACE = /[ \t\r\n]/
const CLOSED_BY: ReadonlyMap<string, string> = new Map([
  ...["'", '*', '_', '~', '|', '`', '/', '='].map((mark) => [mark, mark] as const),
  ['{', '}'],
])
/** A version, as in `checkout@v4`; a resolver may read `1.2.3` as an address. */
const VERSION = /^(?:v\d+(?:\.\d+)*|\d+)$/

/**
 * Finds addresses by their signs: with all characters and quotes of RFC 5322, obsolete spaces and comments, address
 * literals, and names without a dot; the identifiers of Matrix; and handles (`@ada`).
 * @param text with URLs masked
 * @param plain the same text without masks
 */
export function findAddresses(text: string, plain: string): readonly Found[] {
  if (!text.includes('@')) return []
  const comments = commentsIn(text)
  const found: Found[] = []
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const local = readLocal(text, plain, at, comments)
    const domain = readDomain(text, at, comments)
    found.push(...(domain === null ? notUnderstood(text, at, local) : understood(text, at, local, domain)))
  }
  return found
}

interface Local {
  readonly value: string
  readonly start: number
  /** White space is between it and the sign. */
  readonly apart: boolean
}

interface Part {
  readonly value: string
  readonly end: number
}

interface Domain extends Part {
  readonly apart: boolean
  /** The domain as a lenient parser continues it: after a dot and a space, or with special characters. */
  readonly longer?: Part | undefined
  /** The domain up to the first space or comment, and up to symbols at its end, where other parsers end it. */
  readonly shorter: readonly Part[]
}

function understood(text: string, at: number, local: Local, domain: Domain): readonly Found[] {
  const angle = text[local.start - 1] === '<' || text[domain.end] === '>'
  const dotted = /[.[]/.test(domain.value)
  const version = VERSION.test(domain.value)
  // What is before the sign may be a name that only a sender understands: it is not a handle then.
  const handle = local.value === '' && /[\s,;:<([{\uE000]/.test(text[local.start - 1] ?? ' ')
  if (handle) return handleOf(text, at, domain, dotted, version)
  const counts: Counts =
    angle || (dotted && !version)
      ? 'anywhere'
      : (local.apart && domain.apart) || local.value.endsWith('/')
        ? 'named'
        : version || local.apart || domain.apart
          ? 'alone'
          : 'short'
  const { value, start } = unwrapped(text, local, domain.end)
  const email = (host: string, end: number, when: Counts): Found => ({
    start,
    end,
    key: `${value}@${host}`,
    kind: value === '' ? 'unclear' : 'email',
    counts: when,
  })
  const first = email(domain.value, domain.end, counts)
  const { longer, shorter } = domain
  const found = [first]
  if (longer !== undefined)
    found.push(
      email(
        longer.value,
        longer.end,
        CLOSING.test(text.slice(longer.end, longer.end + 8)) ? 'anywhere' : 'alone',
      ),
    )
  for (const part of shorter) found.push(email(part.value, part.end, 'named'))
  return found
}

function handleOf(
  text: string,
  at: number,
  domain: Domain,
  dotted: boolean,
  version: boolean,
): readonly Found[] {
  const { value, end, apart } = domain
  if (dotted) return [{ start: at, end, key: value, kind: 'host', counts: version ? 'alone' : 'anywhere' }]
  const server = /^:[\p{L}\p{N}.-]*[\p{L}\p{N}]/u.exec(text.slice(end, end + 256))?.[0] ?? ''
  if (server !== '') {
    const whole = end + server.length
    return [{ start: at, end: whole, key: text.slice(at, whole), kind: 'handle', counts: 'anywhere' }]
  }
  return apart ? [] : [{ start: at, end, key: `@${value}`, kind: 'handle', counts: 'alone' }]
}

/** Removes quotes and Markdown on both sides: `**ada@ours.example**`. */
function unwrapped(text: string, { value, start }: Local, end: number): { value: string; start: number } {
  let cut = 0
  while (cut < value.length - 1 && text[end + cut] === (CLOSED_BY.get(value[cut] as string) ?? '')) cut++
  return { value: value.slice(cut), start: start + cut }
}

/** A sign next to something is not ignored: a sender may understand what this finder does not. */
function notUnderstood(text: string, at: number, local: Local): readonly Found[] {
  if (local.apart || (local.value === '' && text[at + 1] !== '"')) return []
  const rest = /^[^\s@]{1,64}/.exec(text.slice(at + 1, at + 65))?.[0] ?? ''
  const end = at + 1 + rest.length
  const key = `${local.value}@${rest}`
  return [{ start: local.start, end, key, kind: 'unclear', counts: rest === '' ? 'alone' : 'short' }]
}

function readLocal(text: string, plain: string, at: number, comments: Comments): Local {
  let end = at
  for (;;) {
    const before = skipBack(text, end, comments)
    if (before === end) break
    end = before
  }
  let start = end
  let value = ''
  for (;;) {
    if (text[start - 1] === '"' && (start === end || text[start] === '.')) {
      const open = openingQuote(text, start - 1)
      if (open < 0) break
      value = plain.slice(open + 1, start - 1).replaceAll(/\\(.)/gs, '$1') + value
      start = open
      if (text[start - 1] !== '.') break
    }
    const last = start
    while (start > 0 && LOCAL.test(text[start - 1] as string)) start--
    if (start === last) break
    value = plain.slice(start, last) + value
    if (text[last - 1] === '"' || text[start - 1] !== '"' || text[start] !== '.') break
  }
  return { value: value.replace(/^\.+/, ''), start, apart: /\s/.test(text.slice(end, at)) }
}

function openingQuote(text: string, close: number): number {
  if (close === 0 || isEscaped(text, close)) return -1
  for (let at = text.lastIndexOf('"', close - 1); at >= 0; at = text.lastIndexOf('"', at - 1)) {
    if (!isEscaped(text, at)) return at
    if (at === 0) return -1
  }
  return -1
}

function isEscaped(text: string, at: number): boolean {
  let first = at
  while (text[first - 1] === '\\') first--
  return (at - first) % 2 === 1
}

function readDomain(text: string, at: number, comments: Comments): Domain | null {
  const start = skip(text, at + 1, comments)
  const apart = /\s/.test(text.slice(at + 1, start))
  if (text[start] === '[') {
    const literal = /^\[[^[\]@]{1,256}\]/.exec(text.slice(start, start + 258))?.[0]
    if (literal === undefined) return null
    return { value: literal.replaceAll(/\s/g, ''), end: start + literal.length, apart, shorter: [] }
  }
  let end = labelEnd(text, start)
  if (end === start) return null
  let value = text.slice(start, end)
  const shorter: Part[] = []
  for (;;) {
    const dot = skip(text, end, comments)
    if (text[dot] !== '.') break
    // A sentence ends with a dot and a space; only a space before the dot, or a comment, continues the domain.
    const next = dot > end || text[dot + 1] === '(' ? skip(text, dot + 1, comments) : dot + 1
    const after = labelEnd(text, next)
    if (after === next) break
    if (next > end + 1 && shorter.length === 0) shorter.push({ value: asciiOf(value), end })
    value += `.${text.slice(next, after)}`
    end = after
  }
  const symbols = symbolsAtEnd(value)
  if (symbols > 0) shorter.push({ value: asciiOf(value.slice(0, -symbols)), end: end - symbols })
  const longer = longerDomain(text, value, end, comments)
  return { value: asciiOf(value), end, apart, longer, shorter }
}

/** Returns the length of the symbols at the end of a domain, such as emoji: a sender may drop them or resolve them. */
function symbolsAtEnd(domain: string): number {
  let at = domain.length
  while (at > 0) {
    const size = /[\udc00-\udfff]/.test(domain[at - 1] as string) && at > 1 ? 2 : 1
    if (/[\p{L}\p{N}._-]/u.test(domain.slice(at - size, at))) break
    at -= size
  }
  // Marks belong to the letter before them.
  const marks = /^\p{M}*/u.exec(domain.slice(at))?.[0].length ?? 0
  return at === 0 ? 0 : domain.length - at - marks
}

function longerDomain(text: string, value: string, end: number, comments: Comments): Part | undefined {
  if (text[end] === '.' && skip(text, end + 1, comments) > end + 1) {
    let after = end
    let longer = value
    while (text[after] === '.') {
      const next = skip(text, after + 1, comments)
      const last = labelEnd(text, next)
      if (last === next) break
      longer += `.${text.slice(next, last)}`
      after = last
    }
    if (after > end) return { value: asciiOf(longer), end: after }
  }
  let after = end
  while (after < text.length && LOCAL.test(text[after] as string)) after++
  return after > end && /[\p{L}\p{N}]/u.test(text.slice(end, after))
    ? { value: value + text.slice(end, after), end: after }
    : undefined
}

/** Returns the domain as it is resolved; a name that is not valid is returned as it is. */
function asciiOf(domain: string): string {
  return /^[\x21-\x7e]*$/.test(domain) ? domain : domainToASCII(domain) || domain
}

function labelEnd(text: string, start: number): number {
  let end = start
  while (end < text.length && LABEL.test(text[end] as string)) end++
  return end
}

/** The ends of comments by their beginnings, and the beginnings by their ends. */
type Comments = ReadonlyMap<number, number>

function commentsIn(text: string): Comments {
  const pairs = new Map<number, number>()
  const open: number[] = []
  for (const { 0: character, index } of text.matchAll(/\\.|[()]/gs)) {
    if (character === '(') open.push(index)
    if (character !== ')') continue
    const begin = open.pop()
    if (begin === undefined) continue
    pairs.set(begin, index)
    pairs.set(index, begin)
  }
  return pairs
}

/** Returns the offset after white space and comments. */
function skip(text: string, from: number, comments: Comments): number {
  let at = from
  for (;;) {
    while (at < text.length && SPACE.test(text[at] as string)) at++
    const end = text[at] === '(' ? comments.get(at) : undefined
    if (end === undefined) return at
    at = end + 1
  }
}

/** Returns the offset before white space or one comment. */
function skipBack(text: string, from: number, comments: Comments): number {
  let at = from
  while (at > 0 && SPACE.test(text[at - 1] as string)) at--
  const begin = text[at - 1] === ')' ? comments.get(at - 1) : undefined
  return begin ?? at
}
