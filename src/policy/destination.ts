import type { Json } from '../document/json.ts'
import { foldText } from './pii/folded-text.ts'
import { SEALED_SOURCE } from './pii/sealed-value.ts'

/** Only the end of a longer word is checked: checking from each letter to the end takes quadratic time. */
const EMAIL = String.raw`[\p{L}\p{N}_.+%-]{1,256}@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+`

/** A destination of a message: an address, a URL, a phone number, a placeholder of personal data, or a bare host. */
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
  /** The normal form of the destination; for a URL its host. */
  readonly key: string
  /** A bare host may also be the name of a file. */
  readonly bare: boolean
}

/** Returns all destinations in a value, by their keys. */
export function keysIn(value: Json): readonly string[] {
  return destinationsIn(value).map(({ key }) => key)
}

/** Returns all destinations in a value, including its member names. */
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
      // Applies the rules of special schemes to all schemes: lenient readers accept `ftp:\\host`.
      const at = URL.parse(url.replace(/^[^:]*:/, 'https:'))
      return { key: at === null || at.hostname === '' ? url : at.hostname.replace(/\.$/, ''), bare: false }
    }
    if (phone !== undefined) return { key: phone.replaceAll(/[^\d+]/g, ''), bare: false }
    return { key: match[0], bare: host !== undefined }
  })
}

/**
 * Forms that programs accept as an address: with a name before or after it (RFC 5322 §3.4), a scheme without slashes, a
 * host with a port or a path.
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
/** Maximum length of an address; searching for its end takes quadratic time. */
const LONGEST = 400

/** Returns true if a sender would accept the text as a destination or a list of destinations. */
export function isDestination(text: string): boolean {
  const whole = destinationText(text)
  const rest = whole.replaceAll(DESTINATION, '')
  if (rest !== whole && !/[\p{L}\p{N}]/u.test(rest)) return true
  return whole.split(/[,;\n\r]/).some((part) => {
    const one = part.trim()
    return BEGINS.test(one) || ENDS.test(one.slice(-LONGEST))
  })
}

/** Normalises a text for the search: case, width and invisible characters do not change a destination. */
export function destinationText(text: string): string {
  return foldText(text).text.toLowerCase()
}
