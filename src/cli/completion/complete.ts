import { homePath } from '../../settings/home.ts'
import type { Io } from '../io.ts'
import { plainLine } from '../terminal/plain-text.ts'
import type { Candidate } from './candidate.ts'
import { candidatesOf } from './candidates.ts'
import { LISTED_KINDS } from './word-kinds.ts'

/**
 * Prints the words that may be at a place of the command line, one a line with a tab and a description: the hidden command
 * `waybill __complete KIND CURRENT [WORD...]` of the completion scripts. It never writes and never fails: without an
 * answer, the shell offers nothing.
 * @param argv the kind of the word, its beginning, and the words before it
 */
export async function complete([kind, current = '', ...before]: readonly string[], io: Io): Promise<void> {
  const known = LISTED_KINDS.find((one) => one === kind)
  if (known === undefined) return
  try {
    const found = await candidatesOf(known, { current, before, home: homePath(io.env) })
    for (const candidate of found) if (isSafe(candidate, current)) io.out(lineOf(candidate))
  } catch {
    // A person who presses Tab cannot act on a damaged home; the command itself reports it.
  }
}

/** A word with other characters could act in a shell. */
function isSafe({ word }: Candidate, current: string): boolean {
  return word.startsWith(current) && /^[\w.:/@+-]+$/.test(word) && !word.startsWith('-')
}

function lineOf({ word, text }: Candidate): string {
  return text === undefined ? `${word}\n` : `${word}\t${plainLine(text, 80)}\n`
}
