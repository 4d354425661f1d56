import type { Issue } from '../../../document/issue.ts'
import { LineIndex } from '../../../document/line-index.ts'
import { markHidden } from '../../../document/shown-text.ts'
import { findSecrets } from '../../../secret/find-secrets.ts'
import type { FileReport } from './report.ts'

/** A part of a source line, with the place to underline. */
export interface Excerpt {
  readonly text: string
  /** 0-based column in `text`. */
  readonly start: number
  readonly length: number
}

const WIDTH = 100

/** Returns source lines of one file. Omits lines with a secret, because terminal output may be logged. */
export class Excerpts {
  readonly #report: FileReport
  readonly #lines: LineIndex | undefined
  readonly #secretLines = new Set<number>()

  constructor(report: FileReport) {
    this.#report = report
    const { document, text, issues } = report
    this.#lines = document?.lines ?? (text === undefined ? undefined : new LineIndex(text))
    for (const { code, pointer, line } of issues) {
      if (!code.startsWith('SECRET_')) continue
      const end = document?.locate(pointer).endLine ?? line
      for (let number = line; number <= end; number++) this.#secretLines.add(number)
    }
  }

  /** Returns the line of an issue, or undefined if the line is empty or must not be shown. */
  of(issue: Issue): Excerpt | undefined {
    const line = this.#lines?.line(issue.line)
    if (line === undefined || line.trim() === '' || this.#secretLines.has(issue.line)) return undefined
    // A file with a syntax error was not checked by the rules that find secrets.
    if (line.length <= 20_000 && findSecrets(line).length > 0) return undefined
    const from = cutFrom(line, issue.column - 1)
    const text = printable(line.slice(from, from + WIDTH))
    const start = Math.min(issue.column - 1 - from, text.length)
    return { text, start, length: Math.max(1, Math.min(this.#lengthOf(issue), text.length - start)) }
  }

  #lengthOf(issue: Issue): number {
    const { document } = this.#report
    if (document === undefined) return 1
    for (const key of [false, true]) {
      const place = document.locate(issue.pointer, { key })
      if (place.line === issue.line && place.column === issue.column) return place.length
    }
    return 1
  }
}

/** Returns the start of the excerpt. Long lines, such as a JSON file without line breaks, are cut around the place. */
function cutFrom(line: string, column: number): number {
  return line.length <= WIDTH ? 0 : Math.max(0, Math.min(column - 30, line.length - WIDTH))
}

/** Replaces control characters, because they can move the cursor of the terminal and forge output. */
export function printable(text: string): string {
  return markHidden(text.replaceAll('\t', ' ').replaceAll('\n', '\r'))
}
