import type { Json } from '../document/json.ts'
import { foldText } from './pii/folded-text.ts'
import { SEALED_SOURCE } from './pii/sealed-value.ts'

/** Of a longer word only the end is taken: from each letter of it to its end would be the square of its length. */
const EMAIL = String.raw`[\p{L}\p{N}_.+%-]{1,256}@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+`

/** What a message is sent to: an address, a URL, a phone number, what stands for personal data; or a host, bare. */
const DESTINATION = new RegExp(
  [
    `(?<email>${EMAIL})`,
    String.raw`(?<url>\b[a-z][a-z0-9+.-]{0,60}:[\\/]{2}[^\s"'<>\])}]+)`,
    String.raw`(?<ip>\b\d{1,3}(?:\.\d{1,3}){3}\b|\[[0-9a-f]*:[0-9a-f:.]+\])`,
    String.raw`(?<phone>(?:\+|\b00)\d[\d ()./-]{5,}\d)`,
    String.raw`(?<pii>\[[a-z][a-z0-9_-]*:\d+\]|${SEALED_SOURCE})`,
    String.raw`(?<host>(?<![\p{L}\p{N}.-])(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?![\p{L}\p{N}]))`,
  ].join('|'),
  'giu',
)

export interface Destination {
  /** What it comes to, however it is written: of a URL its host. */
  readonly key: string
  /** A bare host may as well be the name of a file. */
  readonly bare: boolean
}

/** All destinations that a value names, wherever in it, by their keys. */
export function keysIn(value: Json): readonly string[] {
  return destinationsIn(value).map(({ key }) => key)
}

/** All destinations that a value names, in its members' names as well. */
export function destinationsIn(value: Json): readonly Destination[] {
  if (typeof value === 'string') return inText(value)
  if (typeof value === 'number' || value === null || typeof value !== 'object') return []
  if (Array.isArray(value)) return value.flatMap((entry) => destinationsIn(entry as Json))
  return Object.entries(value).flatMap(([name, member]) => [...inText(name), ...destinationsIn(member)])
}

function inText(text: string): readonly Destination[] {
  return [...destinationText(text).matchAll(DESTINATION)].map((match): Destination => {
    const { url, phone, host } = match.groups ?? {}
    if (url !== undefined) {
      // A special scheme's rules for everybody: `ftp:\\host` is what a lenient reader takes it for.
      const at = URL.parse(url.replace(/^[^:]*:/, 'https:'))
      return { key: at === null || at.hostname === '' ? url : at.hostname.replace(/\.$/, ''), bare: false }
    }
    if (phone !== undefined) return { key: phone.replaceAll(/[^\d+]/g, ''), bare: false }
    return { key: match[0], bare: host !== undefined }
  })
}

/**
 * What programs that take an address make one of, though there is more: a name before it or behind it (RFC 5322
 * §3.4), a scheme without slashes, a host with a port or a path.
 */
const BEGINS = new RegExp(
  [
    String.raw`^[<("'\s]*${EMAIL}`,
    '^(?:mailto|tel|sms|sips?|xmpp):',
    String.raw`^[\\/]{2}\S`,
    String.raw`^(?:localhost|(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}|\d{1,3}(?:\.\d{1,3}){3})(?::\d+)?(?:[\\/?#]\S*)?$`,
  ].join('|'),
  'u',
)
const ENDS = new RegExp(String.raw`${EMAIL}[>)"'.\s]*(?:\([^()]*\)\s*)?$`, 'u')
/** No address is longer, and looking for an end takes time in proportion to the square of a length. */
const LONGEST = 400

/** Whether a text is a destination, or a list of such, as whoever sends something to it would take it. */
export function isDestination(text: string): boolean {
  const whole = destinationText(text)
  const rest = whole.replaceAll(DESTINATION, '')
  if (rest !== whole && !/[\p{L}\p{N}]/u.test(rest)) return true
  return whole.split(/[,;\n\r]/).some((part) => {
    const one = part.trim()
    return BEGINS.test(one) || ENDS.test(one.slice(-LONGEST))
  })
}

/** A text as it is looked through: case, width and invisible characters make no other destination. */
export function destinationText(text: string): string {
  return foldText(text).text.toLowerCase()
}
