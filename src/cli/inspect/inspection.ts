import type { Json, JsonObject } from '../../document/json.ts'
import { textAt } from '../../spec/loose-members.ts'
import type { Tone } from '../terminal/paint.ts'

/** A line of the text output: a text and a note. */
export interface Line {
  readonly mark?: readonly [tone: Tone, sign: string]
  readonly text: string
  readonly note?: string
  /** Indents the line below the line above. */
  readonly below?: true
}

export interface Section {
  readonly title: string
  readonly lines: readonly Line[]
}

/** The description of one document: facts for JSON output, headline and sections for text output. */
export interface Inspection {
  /** Members of the JSON output that are specific to this kind of document. */
  readonly facts: { readonly name?: string; readonly version?: string } & JsonObject
  /** One line that summarizes the document. */
  readonly headline: string
  readonly sections: readonly Section[]
}

export function section(title: string, lines: readonly (Line | undefined)[]): Section {
  return { title, lines: lines.filter((line) => line !== undefined) }
}

/** Returns a line with a name and its value, or undefined if the value is missing or empty. */
export function fact(name: string, value: Json | undefined): Line | undefined {
  if (value === undefined || value === null || value === '') return undefined
  return { text: name, note: typeof value === 'string' ? value : JSON.stringify(value) }
}

/** Returns the texts of one member of the items that have it. */
export function textsAt(items: readonly Json[], member: string): readonly string[] {
  return items.flatMap((item) => textAt(item, member) ?? [])
}

/** Counts equal texts: `3 user, 2 assistant`. */
export function tally(texts: readonly string[]): string {
  return [...Map.groupBy(texts, (text) => text)].map(([text, all]) => `${all.length} ${text}`).join(', ')
}
