import type { Candidate, Searched } from './pii-finding.ts'

const LOCAL = /[\p{L}\p{N}._%+'-]/u
const DOMAIN = /[\p{L}\p{N}.-]/u
const LETTER = /[\p{L}\p{N}]/u
/** Top-level domains that are accepted if the dots are written as words or separated by spaces. */
const COMMON_END =
  /^(?:com|org|net|edu|gov|info|biz|io|dev|app|ai|co|eu|me|de|at|ch|fr|es|it|nl|be|pl|uk|ie|pt|se|no|dk|fi|cz|us|ca|au|nz|in|jp|br|mx|example|test)$/i
const AT_WORD = /\s{0,2}[([{<]\s?(?:at|@|arroba)\s?[)\]}>]\s{0,2}|\s(?:at|AT)\s|\s{1,2}@\s{0,2}|@\s{1,2}/g
const REST =
  /([\p{L}\p{N}-]{1,63})((?:(?:\s{0,2}[([{<]\s?(?:dot|\.|punkt|punto|point)\s?[)\]}>]\s{0,2}|\s(?:dot|DOT|punkt|punto)\s|\s\.\s|\.)[\p{L}\p{N}-]{1,63}){1,5})/uy
const DOT =
  /\s{0,2}[([{<]\s?(?:dot|\.|punkt|punto|point)\s?[)\]}>]\s{0,2}|\s(?:dot|DOT|punkt|punto)\s|\s\.\s/gu

/** Each address that is written out has one of these; prose that only says "at" has none. V8 looks faster for each alone. */
const WRITTEN_OUT = [
  /@|[([{<](?=\s?(?:at|arroba|dot|\.|punkt|punto|point)\s?[)\]}>])/,
  /\s(?:dot|DOT|punkt|punto|\.)\s/,
]

/** Finds e-mail addresses, plain and written as words: `ada (at) example (dot) com`. */
export function findEmail({ text }: Searched): Candidate[] {
  return text.includes('@') || /\bat\b|arroba/i.test(text)
    ? [...plainAddresses(text), ...writtenOut(text)]
    : []
}

function plainAddresses(text: string): Candidate[] {
  const found: Candidate[] = []
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const start = localStart(text, at)
    let end = at + 1
    while (end < text.length && end - at < 255 && DOMAIN.test(text[end] as string)) end++
    while (end > at && !LETTER.test(text[end - 1] as string)) end--
    end = cutSentence(text, at + 1, end)
    const local = text.slice(start, at)
    const domain = text.slice(at + 1, end)
    if (local === '' || !isDomain(domain) || (local === 'git' && text[end] === ':')) continue
    found.push({ start, end, kind: 'email', identity: `${local}@${domain}`.toLowerCase() })
  }
  return found
}

/** "Write to ada@example.com.Thanks": the text after the last dot is not part of the domain. */
function cutSentence(text: string, start: number, end: number): number {
  const match = /^([^A-Z]*\.[a-z]{2,})\.[A-Z][a-z]*$/.exec(text.slice(start, end))
  return match === null ? end : start + (match[1] as string).length
}

function localStart(text: string, at: number): number {
  if (text[at - 1] === '"') {
    const open = text.lastIndexOf('"', at - 2)
    return open >= 0 && at - open <= 66 ? open : at
  }
  let start = at
  while (start > 0 && at - start < 64 && LOCAL.test(text[start - 1] as string)) start--
  while (start < at && !/[\p{L}\p{N}_+]/u.test(text[start] as string)) start++
  return start
}

function isDomain(domain: string): boolean {
  const labels = domain.split('.')
  const last = labels.at(-1) ?? ''
  return (
    labels.length > 1 &&
    domain.length <= 253 &&
    /^(?:\p{L}{2,63}|xn--[a-z0-9-]{2,59})$/iu.test(last) &&
    labels.every((label) => label !== '' && label.length <= 63 && !label.startsWith('-'))
  )
}

function writtenOut(text: string): Candidate[] {
  const found: Candidate[] = []
  if (!WRITTEN_OUT.some((mark) => mark.test(text))) return found
  for (const match of text.matchAll(AT_WORD)) {
    const start = localStart(text, match.index)
    REST.lastIndex = match.index + match[0].length
    const rest = REST.exec(text)
    if (start === match.index || rest === null) continue
    const end = REST.lastIndex
    const tail = rest[2] as string
    const spelled = tail.search(DOT) >= 0
    const domain = `${rest[1]}${tail.replaceAll(DOT, '.')}`
    const bare = !/[([{<@]/.test(match[0])
    if ((bare && !spelled) || !COMMON_END.test(domain.split('.').at(-1) ?? '') || !isDomain(domain)) continue
    const value = `${text.slice(start, match.index)}@${domain}`
    found.push({ start, end, kind: 'email', value, identity: value.toLowerCase() })
  }
  return found
}
