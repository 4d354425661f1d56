import { decodedTexts, mayHoldEncoded, plainParts } from '../../document/decoded-texts.ts'
import { hasLongWord } from '../../document/has-long-word.ts'
import type { MappedText } from '../../document/mapped-text.ts'
import { joinedReadingsOf } from '../../document/seen-text.ts'
import { type DigitRun, digitRuns, digitWindows } from './digit-runs.ts'
import { cardIn, spacedCards } from './find-card.ts'
import { findEmail } from './find-email.ts'
import { findIban } from './find-iban.ts'
import { findIp } from './find-ip.ts'
import { findName } from './find-name.ts'
import { findLetteredId, nationalIdIn } from './find-national-id.ts'
import { findPhone, PHONE_REGIONS } from './find-phone.ts'
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
  /@|\d(?=(?:\D{0,3}\d){5}|(?:\.\d{1,3}){3})|[([{<](?= ?(?:at|arroba) ?[)\]}>])|:(?<=[0-9a-f]:)(?=[0-9a-f]{0,4}:)/i,
  /%[0-9a-fu][0-9a-f]|&#|&commat|&amp;|\\[ux0-9]|=[0-9a-f]{2}|_(?=x[0-9a-f]{4}_)|\+(?<=u\+)(?=[0-9a-f]{4})/i,
  /\s(?:dot|punkt|punto)\s/i,
  /[^\n\r\t -~]/,
]

function isWorthALook(text: string): boolean {
  return WORTH_A_LOOK.some((mark) => mark.test(text)) || hasLongWord(text)
}

/**
 * Finds personal data: e-mail addresses, telephone, card, account and national numbers, IP addresses, names on request,
 * and the operator's patterns; in all readings of the text (see `joinedReadingsOf`), also encoded (see `decodedTexts`).
 * Linear in the text.
 */
export function createPiiFinder(options: PiiOptions = {}): PiiFinder {
  const patterns = (options.patterns ?? []).map(compilePattern)
  const always = options.names === true || patterns.length > 0
  return (text, label = '') => {
    if (!always && !isWorthALook(text)) return []
    const found = joinedReadingsOf(text).map((reading) =>
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
    ...encodedIn(reading, text, options, patterns, 0),
  ]
}

function candidatesIn(
  searched: Searched,
  options: PiiOptions,
  patterns: readonly Pattern[],
): readonly Candidate[] {
  const all = digitRuns(searched.text)
  const runs = all.filter(({ joined }) => !joined)
  return [
    ...patterns.flatMap((pattern) => pattern.find(searched.text)),
    ...findEmail(searched),
    ...findIban(searched),
    ...findLetteredId(searched),
    ...numbersIn(searched, all),
    ...spacedCards(searched.text),
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
      const card = cardIn(window, before)
      const candidate = card ?? (run.joined ? null : nationalIdIn(window, before))
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

/** Encodings within encodings. */
const DEEPEST = 1

/** A finding in a decoded text covers the whole encoded part, because a part of it cannot be replaced. */
function encodedIn(
  reading: MappedText,
  text: string,
  options: PiiOptions,
  patterns: readonly Pattern[],
  depth: number,
): PiiFinding[] {
  const found: PiiFinding[] = []
  if (!mayHoldEncoded(reading.text)) return found
  const seen = new Set<number>()
  for (const decoded of decodedTexts(reading.text)) {
    const at = decoded.start(0)
    if (seen.has(at)) continue
    const kind = kindIn(decoded.text, options, patterns, depth)
    if (kind === undefined) continue
    seen.add(at)
    const start = reading.start(at)
    const end = reading.end(decoded.end(0) - 1)
    const value = text.slice(start, end)
    found.push({ start, end, kind, value, identity: value })
  }
  return found
}

/** Returns the kind of the first personal data in a decoded text. */
function kindIn(
  decoded: string,
  options: PiiOptions,
  patterns: readonly Pattern[],
  depth: number,
): string | undefined {
  for (const part of plainParts(decoded)) {
    if (patterns.length === 0 && options.names !== true && !isWorthALook(part)) continue
    for (const reading of joinedReadingsOf(part)) {
      const [first] = candidatesIn({ text: reading.text, label: '' }, options, patterns)
      if (first !== undefined) return first.kind
      if (depth < DEEPEST) {
        const [inner] = encodedIn(reading, part, options, patterns, depth + 1)
        if (inner !== undefined) return inner.kind
      }
    }
  }
  return undefined
}
