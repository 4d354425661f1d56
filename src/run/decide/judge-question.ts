import type { Json, JsonObject } from '../../document/json.ts'
import type { Candidate } from './subagent-results.ts'

const PICK = 'Pick the best answer. Reply with its number alone, or with {"best": NUMBER}.'

/**
 * Returns the input of an evaluator: the task and the candidates, numbered from 1.
 * @param before its first reply, which named no candidate
 */
export function judgeInput(input: Json, candidates: readonly Candidate[], before?: string): JsonObject {
  return {
    task: input,
    candidates: candidates.map(({ result }, index) => ({ number: index + 1, answer: result })),
    instruction:
      before === undefined
        ? PICK
        : `${PICK} Your first reply named none of the answers: ${JSON.stringify(before.slice(0, 500))}`,
  }
}

/** Returns the request to repair a reply that named no candidate. */
export function pickAgain(candidates: readonly Candidate[]): string {
  return `Your reply named none of the answers. Reply with one number from 1 to ${candidates.length}, and with no other text.`
}

/** Returns the input of a referee: the task and the answer of each worker. The referee's own answer is the result. */
export function refereeInput(input: Json, candidates: readonly Candidate[]): JsonObject {
  return {
    task: input,
    answers: candidates.map(({ alias, result }) => ({ from: alias, answer: result })),
    instruction: 'The answers disagree or may be wrong. Decide, and reply with the final answer to the task.',
  }
}

/** Returns the input of a synthesizer: the task and the results to merge. */
export function mergeInput(input: Json, candidates: readonly Candidate[]): JsonObject {
  return {
    task: input,
    results: candidates.map(({ alias, result }) => ({ from: alias, result })),
    instruction: 'Merge the results into one answer to the task.',
  }
}
