import type { Json, JsonObject } from '../../document/issue.ts'
import type { Tone } from '../terminal/paint.ts'

/** A line of the pretty form: what is said, and what is said about it. */
export interface Line {
  readonly mark?: readonly [tone: Tone, sign: string]
  readonly text: string
  readonly note?: string
  /** It belongs to the line above. */
  readonly below?: true
}

export interface Section {
  readonly title: string
  readonly lines: readonly Line[]
}

/** What one kind of document has to tell about itself: for machines, and for people. */
export interface Inspection {
  /** Members of the machine form, after those that all kinds have. */
  readonly facts: { readonly name?: string; readonly version?: string } & JsonObject
  /** One line on what it is. */
  readonly headline: string
  readonly sections: readonly Section[]
}

export function section(title: string, lines: readonly (Line | undefined)[]): Section {
  return { title, lines: lines.filter((line) => line !== undefined) }
}

/** A fact with its name; nothing where there is none. */
export function fact(name: string, value: Json | undefined): Line | undefined {
  if (value === undefined || value === null || value === '') return undefined
  return { text: name, note: typeof value === 'string' ? value : JSON.stringify(value) }
}

/** Members that are there. */
export function present(members: Readonly<Record<string, Json | undefined>>): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as JsonObject
}

/** `3 of user, 2 of assistant`. */
export function tally(words: readonly string[]): string {
  return [...Map.groupBy(words, (word) => word)].map(([word, all]) => `${all.length} ${word}`).join(', ')
}
