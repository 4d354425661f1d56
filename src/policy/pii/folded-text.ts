import type { MappedText } from '../../document/mapped-text.ts'
import { foldDecoded } from '../../document/seen-text.ts'

export type FoldedText = MappedText

/** Returns a text as a person reads it, with one level of URL, HTML and string escapes decoded (see `seenText`). */
export function foldText(text: string): FoldedText {
  return foldDecoded(text)
}
