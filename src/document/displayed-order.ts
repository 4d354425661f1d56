import { type MappedText, TextMapper, unchanged } from './mapped-text.ts'

/**
 * Types of characters of the Unicode bidirectional algorithm (UAX #9), without those that the order of a short text does
 * not depend on: separators of numbers count as neutral.
 */
type Type = 'L' | 'R' | 'EN' | 'AN' | 'NSM' | 'ON' | 'WS' | 'BN' | Control
type Control = 'LRE' | 'RLE' | 'LRO' | 'RLO' | 'PDF' | 'LRI' | 'RLI' | 'FSI' | 'PDI'

const CONTROLS: ReadonlyMap<string, Control | 'L' | 'R'> = new Map([
  ['\u202a', 'LRE'],
  ['\u202b', 'RLE'],
  ['\u202c', 'PDF'],
  ['\u202d', 'LRO'],
  ['\u202e', 'RLO'],
  ['\u2066', 'LRI'],
  ['\u2067', 'RLI'],
  ['\u2068', 'FSI'],
  ['\u2069', 'PDI'],
  ['\u200e', 'L'],
  ['\u200f', 'R'],
  ['\u061c', 'R'],
])

/** Scripts that are written from right to left. */
const RIGHT = String.raw`\p{sc=Hebrew}\p{sc=Arabic}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}\p{sc=Samaritan}\p{sc=Mandaic}\p{sc=Adlam}`
const RIGHT_LETTER = new RegExp(`[${RIGHT}]`, 'u')
const TURNED = new RegExp(String.raw`[${RIGHT}\u061c\u200f\u202a-\u202e\u2066-\u2069]`, 'u')
const DEEPEST = 125
/** Characters that are looked at for the first letter of a line or an isolate. */
const FARTHEST = 100

/** Returns true for a text that a viewer may show in another order than it is stored in. */
export function mayBeTurned(text: string): boolean {
  return TURNED.test(text)
}

/**
 * Returns a text in the order in which a viewer shows its characters from left to right (UAX #9), each line as one line,
 * with its mapping. Characters that control the order are removed. Linear.
 */
export function displayedOrder(text: string): MappedText {
  if (!mayBeTurned(text)) return unchanged(text)
  const mapper = new TextMapper(text)
  let from = 0
  for (const line of text.split('\n')) {
    if (mayBeTurned(line)) putLine(mapper, line, from)
    else mapper.copy(from, from + line.length)
    from += line.length + 1
    if (from <= text.length) mapper.copy(from - 1, from)
  }
  return mapper.finish()
}

interface Unit {
  readonly character: string
  readonly at: number
  type: Type
  level: number
  /** The place among the characters that are kept. A map of them would take most of the time of a large text. */
  rank: number
}

function putLine(mapper: TextMapper, line: string, offset: number): void {
  const units: Unit[] = []
  let at = 0
  for (const character of line) {
    units.push({ character, at, type: typeOf(character), level: 0, rank: 0 })
    at += character.length
  }
  const base = firstStrong(units, 0) === 'R' ? 1 : 0
  const sequences = explicitLevels(units, base)
  resolveSequences(sequences, base)
  putBlocks(mapper, reordered(sequences.kept), sequences.kept, offset)
}

/** Maps each character of a part that is turned to the whole part, so that the offsets of the reading stay in order. */
function putBlocks(mapper: TextMapper, order: readonly Unit[], kept: readonly Unit[], offset: number): void {
  let first = 0
  let highest = -1
  for (let index = 0; index < order.length; index++) {
    highest = Math.max(highest, (order[index] as Unit).rank)
    if (highest > index) continue
    const last = kept[index] as Unit
    const start = offset + (kept[first] as Unit).at
    const end = offset + last.at + last.character.length
    for (const { character } of order.slice(first, index + 1))
      if (!CONTROLS.has(character)) mapper.put(character, start, end)
    first = index + 1
  }
}

function typeOf(character: string): Type {
  const control = CONTROLS.get(character)
  if (control !== undefined) return control
  if (/[0-9\u06f0-\u06f9]/.test(character)) return 'EN'
  if (/[\u0660-\u0669]/.test(character)) return 'AN'
  if (/\s/u.test(character)) return 'WS'
  if (/\p{Mn}|\p{Me}/u.test(character)) return 'NSM'
  if (RIGHT_LETTER.test(character)) return 'R'
  if (/[\p{L}\p{N}\p{Mc}]/u.test(character)) return 'L'
  return /[\p{Cf}\p{Cc}]/u.test(character) ? 'BN' : 'ON'
}

/** P2: the first strong character that is in no isolate. */
function firstStrong(units: readonly Unit[], from: number): 'L' | 'R' | undefined {
  let isolates = 0
  for (let at = from; at < units.length && at < from + FARTHEST; at++) {
    const { type } = units[at] as Unit
    if (type === 'LRI' || type === 'RLI' || type === 'FSI') isolates++
    else if (type === 'PDI') {
      if (isolates === 0) return undefined
      isolates--
    } else if (isolates === 0 && (type === 'L' || type === 'R')) return type
  }
  return undefined
}

interface Status {
  readonly level: number
  readonly override: 'L' | 'R' | undefined
  readonly isolate: boolean
  /** The sequence of the characters at this place; another one follows an embedding. */
  sequence: Unit[]
}

interface Sequences {
  /** The characters that are shown, and those that begin and end isolates, which count as neutral. */
  readonly kept: readonly Unit[]
  /** Isolating run sequences: what is around an isolate belongs together. */
  readonly all: readonly (readonly Unit[])[]
}

/** X1 to X10: sets the levels, and returns the sequences in which types are resolved. */
function explicitLevels(units: readonly Unit[], base: number): Sequences {
  const all: Unit[][] = []
  const begin = (): Unit[] => {
    const sequence: Unit[] = []
    all.push(sequence)
    return sequence
  }
  const stack: Status[] = [{ level: base, override: undefined, isolate: false, sequence: begin() }]
  const kept: Unit[] = []
  let lost = 0
  const top = (): Status => stack.at(-1) as Status
  const push = (right: boolean, override: 'L' | 'R' | undefined, isolate: boolean): void => {
    const { level } = top()
    const next = right ? (level + 1) | 1 : (level + 2) & ~1
    if (next > DEEPEST || lost > 0) lost++
    else stack.push({ level: next, override, isolate, sequence: begin() })
  }
  const keep = (unit: Unit): void => {
    const { level, override, sequence } = top()
    unit.level = level
    if (override !== undefined) unit.type = override
    unit.rank = kept.length
    sequence.push(unit)
    kept.push(unit)
  }
  for (const [index, unit] of units.entries()) {
    const { type } = unit
    switch (type) {
      case 'LRE':
      case 'RLE':
      case 'LRO':
      case 'RLO':
        push(type.startsWith('R'), type === 'RLO' ? 'R' : type === 'LRO' ? 'L' : undefined, false)
        break
      case 'LRI':
      case 'RLI':
      case 'FSI':
        unit.type = 'ON'
        keep(unit)
        push(type === 'RLI' || (type === 'FSI' && firstStrong(units, index + 1) === 'R'), undefined, true)
        break
      case 'PDF':
        if (lost > 0) lost--
        else if (!top().isolate && stack.length > 1) {
          stack.pop()
          top().sequence = begin()
        }
        break
      case 'PDI':
        if (lost > 0) lost--
        else if (stack.some(({ isolate }) => isolate)) {
          while (!top().isolate) stack.pop()
          stack.pop()
        }
        unit.type = 'ON'
        keep(unit)
        break
      case 'BN':
        break
      default:
        keep(unit)
        break
    }
  }
  return { kept, all }
}

/** W1 to W7, N1, N2, I1 and I2 for each sequence. */
function resolveSequences({ kept, all }: Sequences, base: number): void {
  const levels = kept.map(({ level }) => level)
  for (const sequence of all) {
    const [first, last] = [sequence[0], sequence.at(-1)]
    if (first === undefined || last === undefined) continue
    const { level } = first
    const before = levels[first.rank - 1] ?? base
    const after = levels[last.rank + 1] ?? base
    resolveRun(sequence, level, sideOf(Math.max(level, before)), sideOf(Math.max(level, after)))
  }
}

function sideOf(level: number): 'L' | 'R' {
  return level % 2 === 1 ? 'R' : 'L'
}

function resolveRun(run: readonly Unit[], level: number, before: 'L' | 'R', after: 'L' | 'R'): void {
  let strong: Type = before
  let last: Type = before
  for (const unit of run) {
    if (unit.type === 'NSM') unit.type = last
    if (unit.type === 'EN' && strong === 'L') unit.type = 'L'
    if (unit.type === 'L' || unit.type === 'R') strong = unit.type
    last = unit.type
  }
  const side = (type: Type): 'L' | 'R' => (type === 'L' ? 'L' : 'R')
  for (let at = 0; at < run.length; at++) {
    if (!isNeutral(run[at] as Unit)) continue
    let end = at
    while (end < run.length && isNeutral(run[end] as Unit)) end++
    const left = at === 0 ? before : side((run[at - 1] as Unit).type)
    const right = end === run.length ? after : side((run[end] as Unit).type)
    const type = left === right ? left : sideOf(level)
    for (; at < end; at++) (run[at] as Unit).type = type
  }
  for (const unit of run) {
    const number = unit.type === 'EN' || unit.type === 'AN'
    if (level % 2 === 0) unit.level += unit.type === 'R' ? 1 : number ? 2 : 0
    else if (unit.type === 'L' || number) unit.level++
  }
}

function isNeutral({ type }: Unit): boolean {
  return type === 'ON' || type === 'WS'
}

/** L2: turns each run of a level and above, from the highest level to the lowest odd one. */
function reordered(units: readonly Unit[]): readonly Unit[] {
  const order = [...units]
  let highest = 0
  for (const { level } of units) highest = Math.max(highest, level)
  for (let level = highest; level > 0; level--) {
    for (let from = 0; from < order.length; from++) {
      if ((order[from] as Unit).level < level) continue
      let to = from
      while (to < order.length && (order[to] as Unit).level >= level) to++
      for (let [low, high] = [from, to - 1]; low < high; low++, high--)
        [order[low], order[high]] = [order[high] as Unit, order[low] as Unit]
      from = to
    }
  }
  return order
}
