/** Digits with separators: `4111-1111 1111.1111`. Offsets in the folded text. */
export interface DigitRun {
  readonly start: number
  readonly end: number
  /** True if `+` is before it. */
  readonly plus: boolean
  /** True for a part of a longer word, in which only a number that passes all checks counts. */
  readonly joined: boolean
  readonly groups: readonly DigitGroup[]
}

export interface DigitGroup {
  readonly start: number
  readonly end: number
  readonly digits: string
}

/** Adjacent groups of a run. */
export interface DigitWindow {
  readonly first: number
  readonly last: number
  readonly start: number
  readonly end: number
  readonly digits: string
  /** Returns the sizes of the groups: `4-4-4-4`. */
  readonly shape: string
  /** Returns the separator of the groups if it is always the same; otherwise undefined. */
  readonly separator: string | undefined
}

const RUN = /\d(?:[ .\-()/]{0,3}\d)*/g
const WORD = /[\p{L}\p{N}_]/u

export function digitRuns(text: string): readonly DigitRun[] {
  const runs: DigitRun[] = []
  for (const match of text.matchAll(RUN)) {
    const start = match.index
    const end = start + match[0].length
    if (end - start < 7) continue
    const joined = isJoined(text, start, end)
    if (joined && (end - start < SHORTEST_JOINED || isHash(text, start, end))) continue
    const groups: DigitGroup[] = []
    for (const group of match[0].matchAll(/\d+/g)) {
      const from = start + group.index
      groups.push({ start: from, end: from + group[0].length, digits: group[0] })
    }
    runs.push({
      start,
      end,
      joined,
      plus: /\+ ?\(?$/.test(text.slice(Math.max(0, start - 3), start)),
      groups,
    })
  }
  return runs
}

/** Digits of the shortest card. */
const SHORTEST_JOINED = 13
const LONGEST_HASH = 128

/** Returns true for a part of a hash or a UUID, in hexadecimal digits: 32, 40, 56, 64, 96 or 128, or in five groups. */
function isHash(text: string, start: number, end: number): boolean {
  const before = /[0-9a-f-]*$/i.exec(text.slice(Math.max(0, start - LONGEST_HASH), start))?.[0] ?? ''
  const after = /^[0-9a-f-]*/i.exec(text.slice(end, end + LONGEST_HASH))?.[0] ?? ''
  const word = before + text.slice(start, end) + after
  return /^(?:[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64}|[0-9a-f]{96}|[0-9a-f]{128}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/i.test(
    word,
  )
}

/** Returns true for a part of a longer token: a hash, a UUID, a name with digits. */
function isJoined(text: string, start: number, end: number): boolean {
  const before = text[start - 1] ?? ' '
  const after = text[end] ?? ' '
  if (WORD.test(before) || (WORD.test(after) && !/^x\d/i.test(text.slice(end, end + 2)))) return true
  if (/[-./@]/.test(before) && WORD.test(text[start - 2] ?? ' ')) return true
  return /[-@]/.test(after) && WORD.test(text[end + 1] ?? ' ')
}

/**
 * Returns all windows of adjacent groups with that many digits in total; checks at most 20 groups per start.
 * @param only the group with which they begin; default: all groups
 */
export function* digitWindows(
  text: string,
  run: DigitRun,
  least: number,
  most: number,
  only?: number,
): Generator<DigitWindow> {
  const { groups } = run
  for (let first = only ?? 0; first < (only === undefined ? groups.length : only + 1); first++) {
    let digits = ''
    let shape = ''
    let separator: string | undefined = ''
    for (let last = first; last < groups.length && last < first + 20; last++) {
      const group = groups[last] as DigitGroup
      if (digits.length + group.digits.length > most) break
      if (last > first) {
        const between = text.slice((groups[last - 1] as DigitGroup).end, group.start)
        separator = last === first + 1 ? between : separator === between ? separator : undefined
      }
      digits += group.digits
      shape += `${last > first ? '-' : ''}${group.digits.length}`
      if (digits.length < least) continue
      yield {
        first,
        last,
        start: (groups[first] as DigitGroup).start,
        end: group.end,
        digits,
        shape,
        separator,
      }
    }
  }
}
