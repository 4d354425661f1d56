import { lineChanges } from '../../plan/plan-changes.ts'
import type { DefinitionChange, Effect } from '../../policy/changes/definition-change.ts'
import { CHANGED } from '../../policy/changes/scalar-rules.ts'
import type { Io } from '../io.ts'
import { count } from '../terminal/amounts.ts'
import { type Paint, painter, type Tone } from '../terminal/paint.ts'
import { plainLine } from '../terminal/plain-text.ts'

/** A change with its places; a binary document has no lines. */
export interface PlacedChange extends Omit<DefinitionChange, 'before_path' | 'after_path'> {
  readonly before_at?: Spot
  readonly after_at?: Spot
}

interface Spot {
  readonly pointer: string
  readonly line?: number
  readonly column?: number
}

interface Files {
  readonly before: string
  readonly after: string
}

const GROUPS: readonly { readonly effect: Effect; readonly title: string; readonly tone: Tone }[] = [
  { effect: 'widens', title: 'Widens the rights of the agent', tone: 'bad' },
  { effect: 'narrows', title: 'Narrows them', tone: 'good' },
  { effect: 'neutral', title: 'Neutral', tone: 'faint' },
]

const MARKS = { added: '+', removed: '-', changed: '~', moved: '↕' } as const

/** The width of the output, and of its column of pointers, in characters. */
interface Page {
  readonly width: number
  readonly pointer: number
}

/** In characters. */
const LONGEST_COLUMN = 44

/** Without a terminal, lines are not cut to its width. */
const PIPED_WIDTH = 400

/** Returns the changes as text, grouped by their effect. */
export function changesText(
  { changes, widens }: { readonly changes: readonly PlacedChange[]; readonly widens: boolean },
  files: Files,
  io: Io,
): string {
  const paint = painter(io.color && io.outIsTty)
  const width = io.outIsTty ? (io.columns ?? 80) : PIPED_WIDTH
  const pointer = Math.min(LONGEST_COLUMN, Math.max(...changes.map((one) => pointersOf(one).length)))
  const page = { width, pointer }
  const groups = GROUPS.flatMap(({ effect, title, tone }) => {
    const own = changes.filter((change) => change.effect === effect)
    if (own.length === 0) return []
    const lines = own.flatMap((change) => changeLines(change, files, tone, page, paint))
    return [[paint('strong', title), ...lines].join('\n')]
  })
  const verdict = widens
    ? paint('bad', 'the rights of the agent are widened')
    : paint('good', 'no right of the agent is widened')
  return `${[...groups, `${count(changes.length, 'change')}: ${verdict}`].join('\n\n')}\n`
}

function changeLines(
  change: PlacedChange,
  files: Files,
  tone: Tone,
  page: Page,
  paint: Paint,
): readonly string[] {
  const { kind, reason, before, after } = change
  const { width } = page
  const longTexts = typeof before === 'string' && typeof after === 'string' && reason.endsWith(CHANGED)
  return [
    ...wrapped(reason, width - 4).map((line, index) =>
      index === 0 ? `  ${paint(tone, MARKS[kind])} ${line}` : `    ${line}`,
    ),
    ...(longTexts
      ? lineChanges(before, after).map((line) => `      ${paint('faint', plainLine(line, width - 6))}`)
      : []),
    ...spotLines(change, files, page).map((line) => `      ${paint('faint', line)}`),
  ]
}

/** Returns pointers and places side by side, or one below the other if they do not fit. */
function spotLines(change: PlacedChange, files: Files, { width, pointer }: Page): readonly string[] {
  const [pointers, places] = [pointersOf(change), placesOf(change, files)]
  const line = `${pointers.padEnd(pointer)}  ${places}`
  return line.length <= width - 6 ? [line] : [pointers, places].map((one) => plainLine(one, width - 6))
}

/** Returns the pointer, once if it is the same in both definitions. */
function pointersOf({ before_at, after_at }: PlacedChange): string {
  const pointers = [...new Set([before_at?.pointer, after_at?.pointer])].filter((one) => one !== undefined)
  return plainLine(pointers.join(' → '), 200)
}

function placesOf({ before_at, after_at }: PlacedChange, files: Files): string {
  const was = before_at === undefined ? undefined : placeText(files.before, before_at)
  const is = after_at === undefined ? undefined : placeText(files.after, after_at)
  return plainLine([was, is].filter((one) => one !== undefined).join(' → '), 200)
}

function placeText(file: string, { line }: Spot): string {
  const name = file === '-' ? 'standard input' : file
  return line === undefined ? name : `${name}:${line}`
}

/** Breaks a sentence at spaces; the text is made safe for a terminal first. */
function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const word of plainLine(text, 1000).split(' ')) {
    if (line !== '' && line.length + 1 + word.length > Math.max(20, width)) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}
