import { canonicalize } from '../../document/canonical.ts'
import { isObject, type Json } from '../../document/json.ts'
import { parseJson } from '../../document/parse-json.ts'
import type { Candidate } from './subagent-results.ts'

export type Vote =
  | { readonly reached: true; readonly result: Json; readonly votes: number }
  | {
      readonly reached: false
      readonly tally: readonly { readonly votes: number; readonly aliases: readonly string[] }[]
    }

/**
 * Counts votes by `majority_vote` (AAIF §4.3): the most common answer wins, if at least `minVotes` workers gave
 * it; two most common answers are a tie, which no answer wins. Answers are equal if their canonical forms are, so the
 * order of members does not count, also in a text that is JSON. In texts, letter case, the form of characters that
 * Unicode can write in several ways, and the amount of white space are ignored.
 */
export function majorityVote(candidates: readonly Candidate[], minVotes = 1): Vote {
  const groups = new Map<string, Candidate[]>()
  for (const candidate of candidates) {
    const key = canonicalize(comparable(candidate.result))
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [candidate])
    else group.push(candidate)
  }
  const ranked = [...groups.values()].sort((a, b) => b.length - a.length)
  const [winner, second] = ranked
  if (winner !== undefined && winner.length >= minVotes && winner.length > (second?.length ?? 0)) {
    return { reached: true, result: winner[0]?.result ?? null, votes: winner.length }
  }
  return {
    reached: false,
    tally: ranked.map((group) => ({ votes: group.length, aliases: group.map(({ alias }) => alias) })),
  }
}

function comparable(value: Json): Json {
  if (typeof value === 'string') return structureOf(value) ?? plainText(value)
  if (Array.isArray(value)) return value.map(comparable)
  if (!isObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, comparable(member)]))
}

/** Returns the object or array that a text contains; undefined if it contains another text, or numbers would change. */
function structureOf(text: string): Json | undefined {
  const json = /^```(?:json)?\s(.*)```$/is.exec(text.trim())?.[1] ?? text
  if (!/^\s*[[{]/.test(json)) return undefined
  const parsed = parseJson(json, MAX_DEPTH)
  return 'value' in parsed && parsed.warnings.length === 0 ? comparable(parsed.value) : undefined
}

/** Of a text that is compared as JSON; a deeper one is compared as text. */
const MAX_DEPTH = 50

function plainText(text: string): string {
  return text.normalize('NFC').replaceAll(/\s+/g, ' ').trim().toLowerCase()
}
