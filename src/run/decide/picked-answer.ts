import { isObject, type Json } from '../../document/json.ts'
import type { Candidate } from './subagent-results.ts'

/**
 * Returns the candidate that a judge picked, or null if its reply does not name exactly one. Judges are models: the
 * reply may be a number, an object, or a sentence such as "The best answer is 2." A sentence that could mean
 * several candidates names none.
 */
export function pickedBy(reply: Json, candidates: readonly Candidate[]): Candidate | null {
  const isNumber = (value: number) => Number.isInteger(value) && value >= 1 && value <= candidates.length
  const number = numberIn(reply, isNumber)
  return number === null ? null : (candidates[number - 1] ?? null)
}

type IsNumber = (value: number) => boolean

/** Members of an object in which models put the number. */
const MEMBERS = 'best best_answer best_candidate number answer candidate choice pick selected winner'.split(
  ' ',
)

function numberIn(reply: Json, isNumber: IsNumber): number | null {
  if (typeof reply === 'number') return isNumber(reply) ? reply : null
  if (typeof reply === 'string') return numberInText(reply.trim(), isNumber)
  if (Array.isArray(reply)) return reply.length === 1 ? numberIn(reply[0] ?? null, isNumber) : null
  if (!isObject(reply)) return null
  const member = MEMBERS.find((name) => Object.hasOwn(reply, name))
  return member === undefined ? null : numberIn(reply[member] ?? null, isNumber)
}

function numberInText(text: string, isNumber: IsNumber): number | null {
  const json = /^```(?:json)?\s(.*)```$/is.exec(text)?.[1] ?? text
  try {
    const parsed = JSON.parse(json) as Json
    if (typeof parsed === 'object' && parsed !== null) return numberIn(parsed, isNumber)
  } catch {
    // It is not JSON, so it is read as a sentence.
  }
  return numberInSentence(text, isNumber)
}

/** Words that announce the number of a candidate. */
const ANNOUNCES = new Set(
  'answer answers candidate candidates number numbers option options choice response best pick choose chose chosen select selected winner #'.split(
    ' ',
  ),
)
/** Words that may be between the announcement and the number. */
const BETWEEN = new Set('is was be would the to a an'.split(' '))
/** A sentence with one of these words may reject the number that it names. */
const REJECTS = new Set(
  "not no none neither nor never cannot can't don't doesn't isn't aren't wasn't won't worst worse wrong bad except instead than".split(
    ' ',
  ),
)

function numberInSentence(text: string, isNumber: IsNumber): number | null {
  const words =
    text
      .toLowerCase()
      .replaceAll('\u2019', "'")
      .match(/(?:(?<![\p{L}\d])[+-])?\d+(?:[.,]\d+)*|[\p{L}']+|#/gu) ?? []
  const numbers = new Map(
    words.flatMap((word, at) => (/^\d+$/.test(word) && isNumber(Number(word)) ? [[at, Number(word)]] : [])),
  )
  const all = new Set(numbers.values())
  const [only] = all
  if (only === undefined) return null
  if (words.length === 1) return only
  // "2. Because 1 is worse": the reason may name other answers, and reject them.
  const first = /^[^\p{L}\d]*\d+[^\p{L}\d]+(?:because|since|reason|explanation)(?!\p{L})/iu.test(text)
  if (first) return numbers.get(0) ?? null
  // "No. 2" is a number, "no" is a rejection.
  if (words.some((word, at) => REJECTS.has(word) && !(word === 'no' && numbers.has(at + 1)))) return null
  // "2: it is the clearest." Another number inside of a sentence may belong to an answer that it quotes.
  const leads = /^[^\p{L}\d]*\d+[ \t]*(?:[^\p{L}\d \t]|$)/u.test(text) ? numbers.get(0) : undefined
  const places = announcedPlaces(words)
  const announced = new Set([...numbers].filter(([at]) => places.has(at)).map(([, number]) => number))
  const [named] = announced
  if (named !== undefined) return announced.size === 1 && (leads ?? named) === named ? named : null
  return all.size === 1 ? (leads ?? null) : null
}

/** Returns true for "the best answer is 2", "No. 2" and "2 is the best". */
function isAnnounced(words: readonly string[], at: number): boolean {
  // "The best 2 of 3" counts answers.
  if (words[at + 1] === 'of') return false
  let before = at - 1
  while (BETWEEN.has(words[before] ?? '')) before--
  const word = words[before] ?? ''
  if (ANNOUNCES.has(word) || word === 'no') return true
  return words[at + 1] === 'is' && words.slice(at + 2, at + 5).includes('best')
}

/** Returns the places of announced numbers, and of those that are joined to one: the 3 in "answers 2 and 3". */
function announcedPlaces(words: readonly string[]): ReadonlySet<number> {
  const places = new Set<number>()
  for (const [at, word] of words.entries()) {
    const joins = words[at - 1] === 'and' || words[at - 1] === 'or'
    if (/^\d+$/.test(word) && (isAnnounced(words, at) || places.has(joins ? at - 2 : at - 1))) places.add(at)
  }
  return places
}
