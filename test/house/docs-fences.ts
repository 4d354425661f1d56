import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const root = join(import.meta.dirname, '../..')

export interface Fence {
  /** The first word after the backticks. */
  readonly language: string
  /** The other words; readers do not see them. */
  readonly words: readonly string[]
  readonly text: string
  /** 1-based line of the opening backticks. */
  readonly line: number
}

/** The pages that are written by hand, by their path in the repository. */
export function pages(): readonly string[] {
  return ['README.md', 'CONTRIBUTING.md', ...globSync('docs/**/*.md', { cwd: root }).sort()]
}

export function readPage(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

/** The fenced blocks of a page, in order. */
export function fencesOf(markdown: string): readonly Fence[] {
  const fences: Fence[] = []
  let open: { info: string; from: number } | undefined
  const lines = markdown.split('\n')
  for (const [index, line] of lines.entries()) {
    const info = /^```(.*)$/.exec(line)?.[1]
    if (info === undefined) continue
    if (open === undefined) {
      open = { info, from: index }
      continue
    }
    const [language = '', ...words] = open.info.trim().split(/\s+/)
    fences.push({
      language,
      words,
      text: `${lines.slice(open.from + 1, index).join('\n')}\n`,
      line: open.from + 1,
    })
    open = undefined
  }
  return fences
}

/** The first cells of all table rows below a heading, up to the next heading of any level; backticks taken off. */
export function firstCells(markdown: string, heading?: string): readonly string[] {
  const lines = markdown.split('\n')
  const from =
    heading === undefined ? 0 : lines.findIndex((line) => new RegExp(`^#+ ${heading}$`).test(line)) + 1
  if (heading !== undefined && from === 0) throw new Error(`there is no heading "${heading}"`)
  const until =
    heading === undefined ? -1 : lines.findIndex((line, index) => index >= from && /^#/.test(line))
  const part = lines.slice(from, until < 0 ? undefined : until)
  return part.flatMap((line) => /^\| `([^`]+)`/.exec(line)?.[1] ?? [])
}
