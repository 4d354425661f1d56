import type { Json } from '../document/issue.ts'
import { foldText } from './pii/folded-text.ts'

/** What a message is sent to: an address, a URL, a phone number, what stands for personal data; or a host, bare. */
const DESTINATION = new RegExp(
  [
    String.raw`(?<email>[\p{L}\p{N}_.+%-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+)`,
    String.raw`(?<url>\b[a-z][a-z0-9+.-]*:[\\/]{2}[^\s"'<>\])}]+)`,
    String.raw`(?<ip>\b\d{1,3}(?:\.\d{1,3}){3}\b|\[[0-9a-f]*:[0-9a-f:.]+\])`,
    String.raw`(?<phone>(?:\+|\b00)\d[\d ()./-]{5,}\d)`,
    String.raw`(?<pii>\[[a-z][a-z0-9_-]*:\d+\]|pii:v1:[a-z0-9+/]{70,}==)`,
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

/** Whether a text is a destination, or a list of such, and nothing else. */
export function isDestination(text: string): boolean {
  const whole = destinationText(text)
  const rest = whole.replaceAll(DESTINATION, '')
  return rest !== whole && !/[\p{L}\p{N}]/u.test(rest)
}

/** A text as it is looked through: case, width and invisible characters make no other destination. */
export function destinationText(text: string): string {
  return foldText(text).text.toLowerCase()
}
