import type { Json } from './json.ts'
import { parseJson } from './parse-json.ts'

/** Nothing that is verified is nested deeper. */
const MAX_DEPTH = 512

/**
 * Parses a text whose signature, checksum or hash is verified, in place of `JSON.parse`, which keeps the last one of two
 * members with the same name: another reader may keep the first, so the two would have verified different data.
 * @throws SyntaxError for what is not JSON, and for a name that is written twice in one object
 */
export function strictJson(text: string): Json {
  const parsed = parseJson(text, MAX_DEPTH)
  if ('value' in parsed) return parsed.value
  const { problems } = parsed
  // Half of a surrogate pair is not Unicode, and still has one meaning.
  const [first] = problems.filter(({ code }) => code !== 'LONE_SURROGATE')
  if (first === undefined && problems.length === 1) return JSON.parse(text) as Json
  throw new SyntaxError((first ?? problems[0])?.message ?? 'it is not JSON')
}
