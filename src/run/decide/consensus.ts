import { canonicalize } from '../../document/canonical.ts'
import type { Json, JsonObject } from '../../document/issue.ts'

/** What one worker of a swarm came to. */
export interface Candidate {
  readonly alias: string
  readonly result: Json
}

export type Vote =
  | { readonly reached: true; readonly result: Json; readonly votes: number }
  | {
      readonly reached: false
      readonly tally: readonly { readonly votes: number; readonly aliases: readonly string[] }[]
    }

/**
 * majority_vote (AAIF §4.3): the answer that at least `minVotes` workers gave, more than half of all by default.
 * Answers are equal when their canonical forms are; of texts, white space at the ends and letter case do not count.
 * @param workers how many were asked, failed ones included
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
  // Two answers with as many votes each are no majority, whatever min_votes allows.
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

/** What an evaluator is asked: the task and the candidates, numbered from 1. */
export function judgeInput(input: Json, candidates: readonly Candidate[]): JsonObject {
  return {
    task: input,
    candidates: candidates.map(({ result }, index) => ({ number: index + 1, answer: result })),
    instruction: 'Pick the best answer. Reply with its number alone, or with {"best": NUMBER}.',
  }
}

/** What a referee is asked: the task and what each said; its own answer is the result. */
export function refereeInput(input: Json, candidates: readonly Candidate[]): JsonObject {
  return {
    task: input,
    answers: candidates.map(({ alias, result }) => ({ from: alias, answer: result })),
    instruction: 'The answers disagree or may be wrong. Decide, and reply with the final answer to the task.',
  }
}

/** What a synthesizer is asked. */
export function mergeInput(input: Json, candidates: readonly Candidate[]): JsonObject {
  return {
    task: input,
    results: candidates.map(({ alias, result }) => ({ from: alias, result })),
    instruction: 'Merge the results into one answer to the task.',
  }
}

/** The candidate that an evaluator picked, or null when its reply names none. */
export function pickedBy(reply: Json, candidates: readonly Candidate[]): Candidate | null {
  const number = numberIn(reply)
  return number === null ? null : (candidates[number - 1] ?? null)
}

function numberIn(reply: Json): number | null {
  if (typeof reply === 'number') return Number.isInteger(reply) ? reply : null
  if (typeof reply === 'string') {
    const text = reply.trim()
    if (/^\d+$/.test(text)) return Number(text)
    try {
      const parsed = JSON.parse(text) as Json
      return typeof parsed === 'string' ? null : numberIn(parsed)
    } catch {
      return null
    }
  }
  if (reply === null || typeof reply !== 'object' || Array.isArray(reply)) return null
  const { best } = reply as { best?: Json }
  return best === undefined ? null : numberIn(best)
}
