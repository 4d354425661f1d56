import type { MappedText } from '../../document/mapped-text.ts'
import { foldDecoded, readingsOf } from '../../document/seen-text.ts'
import { type DigitRun, digitRuns, digitWindows } from './digit-runs.ts'
import { cardIn } from './find-card.ts'
import { findEmail } from './find-email.ts'
import { findIban } from './find-iban.ts'
import { findIp } from './find-ip.ts'
import { findName } from './find-name.ts'
import { findLetteredId, nationalIdIn } from './find-national-id.ts'
import { findPhone, PHONE_REGIONS } from './find-phone.ts'
import { hasLongWord } from './has-long-word.ts'
import { compilePattern, type Pattern } from './operator-pattern.ts'
import { type Candidate, type PiiFinding, type Searched, wordsBeforeOnce } from './pii-finding.ts'
import { mayHoldSealed, SEALED } from './sealed-value.ts'

export interface PiiOptions {
  /** Also finds names of people, with many misses and some false positives. */
  readonly names?: boolean
  /** ISO 3166 codes of the regions whose national telephone numbers are found. */
  readonly regions?: readonly string[]
  /** Also finds addresses of private networks. */
  readonly private_ips?: boolean
  /** Additional patterns of the operator: regular expressions (RE2), matched in linear time. */
  readonly patterns?: readonly { readonly name: string; readonly regex: string }[]
}

/** @param label name of the text, such as the member that contains it */
export type PiiFinder = (text: string, label?: string) => readonly PiiFinding[]

/** A text without any of these, and without a word that may be Base64, contains no findings. */
const WORTH_A_LOOK = [
  /@|\d(?=(?:[^\d\n]{0,3}\d){5}|(?:\.\d{1,3}){3})|[([{<](?= ?(?:at|arroba) ?[)\]}>])|:(?<=[0-9a-f]:)(?=[0-9a-f]{0,4}:)/i,
  /%[0-9a-f]{2}|&#|&commat|\\[ux]/i,
  /\s(?:dot|punkt|punto)\s/i,
  /[^\n\r\t -~]/,
]

function isWorthALook(text: string): boolean {
  return WORTH_A_LOOK.some((mark) => mark.test(text)) || hasLongWord(text)
}

const ENCODED =
  /(?<![A-Za-z0-9+/_=-])(?:[A-Za-z0-9+/]{16,8192}|[A-Za-z0-9_-]{16,8192})={0,2}(?![A-Za-z0-9+/_=-])/g

/**
 * Finds personal data: e-mail addresses, telephone, card, account and national numbers, IP addresses, names on request,
 * and the operator's patterns; also if obfuscated (see `readingsOf`) or in Base64. Linear in the text.
 */
export function createPiiFinder(options: PiiOptions = {}): PiiFinder {
  const patterns = (options.patterns ?? []).map(compilePattern)
  const always = options.names === true || patterns.length > 0
  return (text, label = '') => {
    if (!always && !isWorthALook(text)) return []
    const found = readingsOf(text).map((reading) =>
      inOrder(withoutSealed(foundIn(reading, text, label, options, patterns), text)),
    )
    return joined(found, text)
  }
}

export function findPii(text: string, options: PiiOptions = {}): readonly PiiFinding[] {
  return createPiiFinder(options)(text)
}

function foundIn(
  reading: MappedText,
  text: string,
  label: string,
  options: PiiOptions,
  patterns: readonly Pattern[],
): readonly PiiFinding[] {
  const candidates = candidatesIn({ text: reading.text, label }, options, patterns)
  return [
    ...candidates.map((candidate) => placed(candidate, reading, text)),
    ...encodedIn(reading, text, options, patterns),
  ]
}

function candidatesIn(
  searched: Searched,
  options: PiiOptions,
  patterns: readonly Pattern[],
): readonly Candidate[] {
  const runs = digitRuns(searched.text)
  return [
    ...patterns.flatMap((pattern) => pattern.find(searched.text)),
    ...findEmail(searched),
    ...findIban(searched),
    ...findLetteredId(searched),
    ...numbersIn(searched, runs),
    ...findIp(searched, options.private_ips === true),
    ...findPhone(searched, runs, options.regions ?? PHONE_REGIONS),
    ...(options.names === true ? findName(searched) : []),
  ]
}

function numbersIn(searched: Searched, runs: readonly DigitRun[]): Candidate[] {
  const found: Candidate[] = []
  const words = wordsBeforeOnce(searched)
  for (const run of runs) {
    for (const window of digitWindows(searched.text, run, 9, 19)) {
      const before = () => words(window.start)
      const candidate = cardIn(window, before) ?? nationalIdIn(window, before)
      if (candidate !== null) found.push(candidate)
    }
  }
  return found
}

function placed(candidate: Candidate, folded: MappedText, text: string): PiiFinding {
  const start = folded.start(candidate.start)
  const end = folded.end(candidate.end - 1)
  const written = text.slice(start, end)
  const read = candidate.value ?? folded.text.slice(candidate.start, candidate.end)
  // Escaped text must be restored exactly, so it differs from its plain form.
  const escaped = /[%&\\]/.test(written) && written !== read
  return {
    start,
    end,
    kind: candidate.kind,
    value: escaped ? written : read,
    identity: escaped ? written : candidate.identity,
  }
}

/** If two findings overlap, the earlier detector wins. */
function inOrder(found: readonly PiiFinding[]): readonly PiiFinding[] {
  if (found.length < 2) return found
  const byStart: PiiFinding[] = found
    .map((finding, rank) => ({ finding, rank }))
    .sort((a, b) => a.finding.start - b.finding.start || a.rank - b.rank)
    .map(({ finding }) => finding)
  const ranks = new Map(found.map((finding, rank) => [finding, rank]))
  const kept: PiiFinding[] = []
  for (const finding of byStart) {
    const last = kept.at(-1)
    if (last === undefined || finding.start >= last.end) kept.push(finding)
    else if ((ranks.get(finding) as number) < (ranks.get(last) as number)) kept[kept.length - 1] = finding
  }
  return kept
}

/** Joins the findings of several readings of a text. Where they overlap, nothing of either may remain. */
function joined(found: readonly (readonly PiiFinding[])[], text: string): readonly PiiFinding[] {
  const [first = [], ...others] = found
  if (others.length === 0) return first
  const kept: PiiFinding[] = []
  for (const finding of found.flat().sort((a, b) => a.start - b.start || b.end - a.end)) {
    const last = kept.at(-1)
    if (last === undefined || finding.start >= last.end) kept.push(finding)
    else if (finding.end > last.end) {
      const whole = text.slice(last.start, finding.end)
      kept[kept.length - 1] = { ...last, end: finding.end, value: whole, identity: whole }
    }
  }
  return kept
}

function withoutSealed(found: readonly PiiFinding[], text: string): readonly PiiFinding[] {
  if (found.length === 0 || !mayHoldSealed(text)) return found
  const sealed = [...text.matchAll(SEALED)].map(
    ({ index, 0: { length } }) => [index, index + length] as const,
  )
  return found.filter(({ start, end }) => {
    // The first sealed value that ends after the start; they are in order.
    let low = 0
    let high = sealed.length
    while (low < high) {
      const middle = (low + high) >> 1
      if ((sealed[middle] as readonly [number, number])[1] > start) high = middle
      else low = middle + 1
    }
    const next = sealed[low]
    return next === undefined || next[0] >= end
  })
}

/** A finding in decoded Base64 covers the whole encoded word, because a part of it cannot be replaced. */
function encodedIn(
  reading: MappedText,
  text: string,
  options: PiiOptions,
  patterns: readonly Pattern[],
): PiiFinding[] {
  const found: PiiFinding[] = []
  if (!hasLongWord(reading.text)) return found
  for (const match of reading.text.matchAll(ENCODED)) {
    const decoded = decodeText(match[0])
    if (decoded === null) continue
    const [first] = candidatesIn({ text: foldDecoded(decoded).text, label: '' }, options, patterns)
    if (first === undefined) continue
    const start = reading.start(match.index)
    const end = reading.end(match.index + match[0].length - 1)
    found.push({ start, end, kind: first.kind, value: text.slice(start, end), identity: match[0] })
  }
  return found
}

function decodeText(word: string): string | null {
  // A word of one case without digits is not Base64, and bytes that are not UTF-8 are not text.
  if (/^[a-z]+$|^[A-Z]+$|^\d+$|^[0-9a-f]+$/.test(word) || word.length % 4 === 1) return null
  const bytes = Buffer.from(word, 'base64')
  for (const byte of bytes) if (byte < 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return null
  }
}
