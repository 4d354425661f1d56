import { type DigitRun, digitRuns, digitWindows } from './digit-runs.ts'
import { cardIn } from './find-card.ts'
import { findEmail } from './find-email.ts'
import { findIban } from './find-iban.ts'
import { findIp } from './find-ip.ts'
import { findName } from './find-name.ts'
import { findLetteredId, nationalIdIn } from './find-national-id.ts'
import { findPhone, PHONE_REGIONS } from './find-phone.ts'
import { type FoldedText, foldText } from './folded-text.ts'
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

/** A text without any of these contains no findings. */
const WORTH_A_LOOK =
  /@|\d(?:[^\d\n]{0,3}\d){5}|\d(?:\.\d{1,3}){3}|[([{<] ?(?:at|arroba) ?[)\]}>]|\s(?:dot|DOT|punkt|punto)\s|[0-9a-f]:[0-9a-f]{0,4}:|[A-Za-z0-9+/_-]{16}|[^\n\r\t -~]|%[0-9a-f]{2}|&#|&commat|\\[ux]/i
const ENCODED =
  /(?<![A-Za-z0-9+/_=-])(?:[A-Za-z0-9+/]{16,8192}|[A-Za-z0-9_-]{16,8192})={0,2}(?![A-Za-z0-9+/_=-])/g

/**
 * Finds personal data: e-mail addresses, telephone, card, account and national numbers, IP addresses, names on request,
 * and the operator's patterns; also if obfuscated (see `foldText`) or in Base64. Linear in the text.
 */
export function createPiiFinder(options: PiiOptions = {}): PiiFinder {
  const patterns = (options.patterns ?? []).map(compilePattern)
  const always = options.names === true || patterns.length > 0
  return (text, label = '') => {
    if (!always && !WORTH_A_LOOK.test(text)) return []
    const folded = foldText(text)
    const found = candidatesIn({ text: folded.text, label }, options, patterns).map((candidate) =>
      placed(candidate, folded, text),
    )
    return inOrder([...withoutSealed(found, text), ...encodedIn(text, options, patterns)])
  }
}

export function findPii(text: string, options: PiiOptions = {}): readonly PiiFinding[] {
  return createPiiFinder(options)(text)
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

function placed(candidate: Candidate, folded: FoldedText, text: string): PiiFinding {
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

function withoutSealed(found: readonly PiiFinding[], text: string): readonly PiiFinding[] {
  if (found.length === 0 || !mayHoldSealed(text)) return found
  const sealed = [...text.matchAll(SEALED)].map(
    ({ index, 0: { length } }) => [index, index + length] as const,
  )
  return found.filter(({ start, end }) => !sealed.some(([from, to]) => start < to && end > from))
}

/** A finding in decoded Base64 covers the whole encoded word, because a part of it cannot be replaced. */
function encodedIn(text: string, options: PiiOptions, patterns: readonly Pattern[]): PiiFinding[] {
  const found: PiiFinding[] = []
  for (const match of text.matchAll(ENCODED)) {
    const decoded = decodeText(match[0])
    if (decoded === null) continue
    const [first] = candidatesIn({ text: foldText(decoded).text, label: '' }, options, patterns)
    if (first === undefined) continue
    found.push({
      start: match.index,
      end: match.index + match[0].length,
      kind: first.kind,
      value: match[0],
      identity: match[0],
    })
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
