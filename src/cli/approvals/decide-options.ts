import { parseExact } from '../../document/exact-numbers.ts'
import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import { readNamedFile } from '../files/read-any-document.ts'
import type { Io } from '../io.ts'
import type { PlaceOptions } from '../remote/with-records.ts'
import { usageError } from '../usage-error.ts'

/** Options of the commands that decide about a call. */
export interface DecideOptions extends PlaceOptions {
  readonly why?: string
  readonly by?: string
  readonly result?: string
  readonly arguments?: string
  readonly digest?: string
  /** Of `answer`: the fields of the form. */
  readonly content?: string
  readonly set?: readonly string[]
  readonly decline?: boolean
  /** Continue the run after the decision. */
  readonly resume?: boolean
  readonly json?: boolean
  readonly format?: string
}

/** Reads the arguments of a call: a JSON object, or `@FILE`. @throws USAGE */
export function readArguments(given: string, io: Io): JsonObject {
  return readObject(given, 'the arguments', '{"amount":20}', io)
}

/** Reads a JSON object, or `@FILE`. @throws USAGE */
export function readObject(given: string, what: string, example: string, io: Io): JsonObject {
  const hint = `give a JSON object such as '${example}', or @FILE`
  const text = given.startsWith('@')
    ? readNamedFile(given.slice(1), io, { what, hint, code: 'INPUT_UNREADABLE' }).toString('utf8')
    : given
  const value = jsonIn(text)
  if (!isObject(value)) throw usageError(`${what} are not a JSON object`, hint)
  return value
}

function jsonIn(text: string): Json | undefined {
  try {
    return parseExact(text)
  } catch {
    return undefined
  }
}
