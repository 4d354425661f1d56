import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import type { Candidate } from './subagent-results.ts'

/** Returns the input of an evaluator: the task and the candidates, numbered from 1. */
export function judgeInput(input: Json, candidates: readonly Candidate[]): JsonObject {
  return {
    task: input,
    candidates: candidates.map(({ result }, index) => ({ number: index + 1, answer: result })),
    instruction: 'Pick the best answer. Reply with its number alone, or with {"best": NUMBER}.',
  }
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

/** Returns the candidate that an evaluator picked, or null if its reply does not name one. */
export function pickedBy(reply: Json, candidates: readonly Candidate[]): Candidate | null {
  const number = numberIn(reply)
  return number === null ? null : (candidates[number - 1] ?? null)
}

/** Returns the number that a reply names, whether or not a candidate has it; null if it names none. */
function numberIn(reply: Json): number | null {
  if (typeof reply === 'number') return reply
  if (isObject(reply)) return numberIn(reply.best ?? null)
  if (typeof reply !== 'string') return null
  const text = reply.trim()
  if (/^\d+$/.test(text)) return Number(text)
  try {
    const parsed = JSON.parse(text) as Json
    return typeof parsed === 'string' ? null : numberIn(parsed)
  } catch {
    return null
  }
}
