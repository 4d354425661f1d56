import { parseExact } from '../../document/exact-numbers.ts'
import { isObject, type Json } from '../../document/json.ts'
import { storedText } from '../database/stored-text.ts'

/** Members of answers that name a run, a session or a user. */
const NAMES = new Set(['id', 'run_id', 'root_run_id', 'target_run_id', 'session', 'user'])

/**
 * Returns what a request and its answer are about, as stored: ids of runs and sessions, and users. A stored answer is
 * removed with each of them.
 * @param operation method and path
 */
export function mentionsOf(operation: string, answer: string): readonly string[] {
  const found = new Set<string>()
  const name = (text: string) => {
    // A question is named by its run.
    for (const part of [text, text.split('~')[0] ?? '']) if (part !== '') found.add(storedText(part))
  }
  for (const part of operation.split(/[ /]/)) name(decoded(part))
  const read = (value: Json) => {
    if (Array.isArray(value)) return value.forEach(read)
    if (!isObject(value)) return
    for (const [member, inner] of Object.entries(value)) {
      if (typeof inner === 'string' && NAMES.has(member)) name(inner)
      else read(inner)
    }
  }
  read(parsed(answer))
  return [...found]
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function parsed(answer: string): Json {
  try {
    return parseExact(answer)
  } catch {
    return null
  }
}
