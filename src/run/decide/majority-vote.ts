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
 * Counts votes by `majority_vote` (AAIF §4.3): at least `minVotes` workers must give the same answer, by
 * default more than half of all. Answers are equal if their canonical forms are; in texts, letter case and
 * white space at both ends are ignored.
 * @param workers how many were asked, including those that failed
 */
export function majorityVote(
  candidates: readonly Candidate[],
  minVotes: number | undefined,
  workers: number,
): Vote {
  const groups = new Map<string, Candidate[]>()
  for (const candidate of candidates) {
    const key = canonicalize(comparable(candidate.result))
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [candidate])
    else group.push(candidate)
  }
  const ranked = [...groups.values()].sort((a, b) => b.length - a.length)
  const [winner, second] = ranked
  const needed = minVotes ?? Math.floor(workers / 2) + 1
  // Two answers with the same number of votes are not a majority, even if min_votes allows it.
  if (winner !== undefined && winner.length >= needed && winner.length > (second?.length ?? 0)) {
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
