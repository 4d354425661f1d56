import { canonicalize } from '../../document/canonical.ts'
import type { Json } from '../../document/json.ts'
import type { Candidate } from './subagent-results.ts'

export type Vote =
  | { readonly reached: true; readonly result: Json; readonly votes: number }
  | {
      readonly reached: false
      readonly tally: readonly { readonly votes: number; readonly aliases: readonly string[] }[]
    }

/**
 * Counts votes by `majority_vote` (AAIF §4.3): the most common answer wins, if at least `minVotes` workers gave
 * it; two most common answers are a tie, which no answer wins. Answers are equal if their canonical forms are; in
 * texts, letter case and white space at both ends are ignored.
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
  return typeof value === 'string' ? value.trim().toLowerCase() : value
}
