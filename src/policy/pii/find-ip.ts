import { isIPv4, isIPv6 } from 'node:net'
import { type Candidate, type Searched, wordsBefore } from './pii-finding.ts'

const V4 = /(?<![\w.-])\d{1,3}(?:\.\d{1,3}){3}(?![\w-]|\.\d)/g
/** Each of them has this, which V8 finds faster, because it is one character. */
const FOUR_NUMBERS = /\d(?=(?:\.\d{1,3}){3})/
const V6 = /(?<![\w:.])(?=[0-9a-f]{0,4}:)[0-9a-f:.]{3,45}(?![\w:])/gi
/** Each address with three groups has two colons with at most one group between them. */
const TWO_COLONS = /[:;](?<=:)[0-9a-f]{0,4}:/i
const VERSION =
  /(?:\b(?:version|release|build|firmware|driver|assembly|schema|section|clause|chapter|rev(?:ision)?|v|ver|oid|chrome|safari|edg|firefox|opera|kernel|section)[ :.=/"']{0,3}|[\p{L}]\/|§ ?)$/iu
const PRIVATE_V4 =
  /^(?:0\.|10\.|127\.|169\.254\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\.|2(?:2[4-9]|[3-5]\d)\.)/
const PRIVATE_V6 = /^(?:::1?$|f[cd]|fe[89ab]|ff)/i

/** Finds IP addresses. Private ranges do not identify a person, so they count only on request. */
export function findIp(searched: Searched, withPrivate: boolean): Candidate[] {
  const { text } = searched
  const found: Candidate[] = []
  for (const match of FOUR_NUMBERS.test(text) ? text.matchAll(V4) : []) {
    const [value] = match
    if (!isIPv4(value) || (!withPrivate && PRIVATE_V4.test(value))) continue
    if (VERSION.test(wordsBefore(searched, match.index, 16))) continue
    found.push({ start: match.index, end: match.index + value.length, kind: 'ip', identity: value })
  }
  if (!TWO_COLONS.test(text)) return found
  for (const match of text.matchAll(V6)) {
    const value = match[0].replace(/[:.]$/, (end) => (match[0].endsWith('::') ? end : ''))
    // Two hextets separated by "::" are usually a qualified name in a programming language.
    // This is also the cheaper check: the first isIPv6() of a process compiles a large regular expression.
    if (value.split(':').filter((part) => part !== '').length < 3 || !isIPv6(value)) continue
    if (!withPrivate && PRIVATE_V6.test(value)) continue
    found.push({
      start: match.index,
      end: match.index + value.length,
      kind: 'ip',
      identity: value.toLowerCase(),
    })
  }
  return found
}
