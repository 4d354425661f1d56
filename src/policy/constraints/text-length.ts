import type { MappedText } from '../../document/mapped-text.ts'
import { renderedReadingsOf } from '../../document/seen-text.ts'
import { shownText } from '../../document/shown-text.ts'

export type Unit = 'characters' | 'words' | 'sentences' | 'lines'

/** Brackets, quotes and marks of notes that may follow the end of a sentence. Bounded: each place is looked back from. */
const CLOSING = String.raw`["'”’»›)\]}*_\p{Pf}\p{Pe}]{0,4}(?:\[[\p{L}\p{N}]{1,4}\]|[\p{No}⁰-⁹†‡§*]){0,3}`
/** Ends of sentences: before white space, of scripts without spaces, and before a capital that follows at once. */
const ENDS = new RegExp(
  [
    String.raw`(?<=[.!?…‽]${CLOSING})(?=\s)`,
    String.raw`(?<=\p{L}[.!?]\d{1,3})(?=\s+\p{Lu})`,
    String.raw`(?<=[。！？｡︒．؟۔।॥։።፧])(?=[^\s。！？｡︒．؟۔।॥։።፧])`,
    String.raw`(?<=[\p{Ll}\p{N})"”][.!?…])(?=\p{Lu}[\p{Ll}'’]*(?:[\s,;:!?]|$))`,
  ].join('|'),
  'u',
)
/** A line that is continued: its break is not the end of a sentence. */
const CONTINUED = /(?<![.!?…:;])\n(?=[ \t]*\p{Ll})/gu

/**
 * Returns the length of a text as a person sees it. Words and sentences are counted by white space and punctuation, and
 * as Unicode segments them (UAX #29); the larger number counts. In markup, what a viewer shows counts if it is longer.
 */
export function lengthIn(text: string, unit: Unit): number {
  const shown = countIn(shownText(text), unit)
  if (unit === 'characters') return shown
  const readings = renderedReadingsOf(text)
  return readings.length < 2 ? shown : Math.max(shown, ...readings.map((one) => countIn(one.text, unit)))
}

function countIn(text: string, unit: Unit): number {
  switch (unit) {
    case 'characters':
      return [...text].length
    case 'words':
      return Math.max(text.split(/\s+/).filter((word) => word !== '').length, segmentsOf(text, 'word'))
    case 'sentences':
      return Math.max(
        sentencesOf(text).length,
        segmentsOf(text.replaceAll(CONTINUED, ' ').replaceAll(REPEATED, '$1'), 'sentence'),
      )
    case 'lines':
      return linesOf(text).length
  }
}

/** The segmenter takes more than linear time on marks that are repeated; they end at most one sentence. */
const REPEATED = /([^\p{L}\p{N}\s])\1{3,}/gu

const SEGMENTERS = new Map<'word' | 'sentence', Intl.Segmenter>()

function segmentsOf(text: string, granularity: 'word' | 'sentence'): number {
  const segmenter = SEGMENTERS.get(granularity) ?? new Intl.Segmenter('und', { granularity })
  SEGMENTERS.set(granularity, segmenter)
  let count = 0
  for (const { segment, isWordLike } of segmenter.segment(text))
    if (granularity === 'word' ? isWordLike === true : /[\p{L}\p{N}]/u.test(segment)) count++
  return count
}

/** Sentences with the white space before them. A punctuation mark within a number, as in `1.50`, does not end one. */
export function sentencesOf(text: string): readonly string[] {
  return text.split(ENDS).filter((part) => /[^.!?…\s]/.test(part))
}

/** The lines that are not blank, as the terminal shows them. */
export function linesOf(text: string): readonly string[] {
  return shownText(text)
    .split('\n')
    .filter((line) => line.trim() !== '')
}

/** Returns whether some viewer shows more than one line. */
export function hasLines(text: string): boolean {
  const broken = ({ text: read }: Pick<MappedText, 'text'>) => read.trim().includes('\n')
  return broken({ text: shownText(text) }) || renderedReadingsOf(text).some(broken)
}

/** Returns the beginning of a text that is as long as allowed, or an empty text. */
export function shortened(text: string, max: number, unit: Unit): string {
  const parts = partsOf(text, unit)
  const join = (count: number): string =>
    unit === 'lines' ? parts.slice(0, count).join('\n') : parts.slice(0, count).join('').trim()
  // The count grows with the text, so the longest beginning that is short enough is found by halves.
  let [low, high] = [0, Math.min(parts.length, max)]
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (lengthIn(join(middle), unit) <= max) low = middle
    else high = middle - 1
  }
  return join(low)
}

function partsOf(text: string, unit: Unit): readonly string[] {
  switch (unit) {
    case 'characters':
      return [...text]
    case 'words':
      return text.match(/\S+\s*/g) ?? []
    case 'sentences':
      return sentencesOf(text)
    case 'lines':
      return linesOf(text)
  }
}
