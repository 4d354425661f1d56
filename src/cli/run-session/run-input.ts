import { parseExact } from '../../document/exact-numbers.ts'
import { WaybillError } from '../../document/issue.ts'
import type { Json, JsonObject } from '../../document/json.ts'
import { LineIndex } from '../../document/line-index.ts'
import { parseJson } from '../../document/parse-json.ts'
import type { Program } from '../../plan/plan.ts'
import { readAll } from '../files/read-all.ts'
import { readNamedFile } from '../files/read-any-document.ts'
import { utf8Text } from '../files/utf8-text.ts'
import { type Io, isInteractive } from '../io.ts'
import { paintLine } from '../run-view/story.ts'
import { painter } from '../terminal/paint.ts'
import { usageError } from '../usage-error.ts'

/** The input of a run as the command line gives it. */
export interface GivenInput {
  /** The value of `--input`, or the argument after the definition. */
  readonly text: string | undefined
  /** True if the definition is read from standard input. */
  readonly fileIsStdin: boolean
  /** True if standard output is reserved for JSON, so that no question may be asked. */
  readonly json: boolean
}

/** Returns the input of a command line with a positional text and `--input`, which exclude each other. */
export function givenInput(
  positional: string | undefined,
  { input, batch }: { readonly input?: string; readonly batch?: string },
): string | undefined {
  if (positional === undefined) return input
  const other = input !== undefined ? '--input' : batch !== undefined ? '--batch' : undefined
  if (other === undefined) return positional
  throw usageError(
    `the input is given twice: as an argument and with ${other}`,
    `give it once; quote a text that contains spaces`,
  )
}

/**
 * Reads the input of a run: text, JSON, `@FILE` or `-`. It is JSON if the agent has an input schema and it parses as
 * JSON (contracts: run), else text. Without one, piped standard input is the input; else a person at the terminal is
 * asked, unless the schema accepts an empty input. A rehearsal and a refused run need no input.
 * @throws INPUT_MISSING, INPUT_NOT_JSON, INPUT_UNREADABLE, INPUT_AMBIGUOUS, ENCODING_NOT_UTF8, INTERRUPTED
 */
export async function readInput(program: Program, given: GivenInput, io: Io): Promise<Json> {
  const text = await readInputText(given.text, io, given.fileIsStdin)
  if (text !== undefined) return inputOf(text, program, given.text, io)
  const empty = emptyInput(program)
  if (empty !== undefined) return empty
  if (program.plan.rehearsal || program.plan.refusals.length > 0) return ''
  if (isInteractive(io, given.json)) return inputOf(await askInput(io), program, undefined, io)
  throw new WaybillError('INPUT_MISSING', {
    fault: 'usage',
    message: 'the agent was given no input',
    hint: 'add --input TEXT, --input @FILE, or --input - for standard input; --input "" is an empty input',
  })
}

/** Reads the input like {@link readInput}, without parsing it. Returns undefined if there is none. */
export async function readInputText(
  given: string | undefined,
  io: Io,
  fileIsStdin: boolean,
): Promise<string | undefined> {
  if (given === '-' && fileIsStdin) {
    throw new WaybillError('INPUT_AMBIGUOUS', {
      fault: 'usage',
      message: 'both the definition and the input come from standard input',
      hint: 'use a file for one of them',
    })
  }
  if (given === '-') return utf8Text(await readAll(io.stdin), '-', 'the input')
  if (given !== undefined) return given.startsWith('@') ? readInputFile(given.slice(1), io) : given
  if (fileIsStdin || io.stdin.isTTY === true || !(await hasInput(io))) return undefined
  // Schedulers start programs with an empty pipe, which does not count as an input.
  const piped = utf8Text(await readAll(io.stdin), '-', 'the input')
  return piped === '' ? undefined : piped
}

/** Converts the input to its value: JSON only if the agent has an input schema. */
export function asInput(text: string, hasSchema: boolean): Json {
  return hasSchema ? (jsonIn(text) ?? text) : text
}

/** Converts the input to its value, and reports a text that begins like JSON but is not. */
function inputOf(text: string, { checkInput }: Program, source: string | undefined, io: Io): Json {
  const value = jsonIn(text)
  if (value !== undefined) return checkInput === null ? text : value
  const needsJson = checkInput !== null && checkInput(text) !== null
  if (!(needsJson ? /^\s*[[{]/ : LIKE_JSON).test(text)) return text
  const { line, column, message, hint } = syntaxError(text)
  const file = source?.startsWith('@') === true ? source.slice(1) : undefined
  if (needsJson) {
    throw new WaybillError('INPUT_NOT_JSON', {
      fault: 'usage',
      line,
      column,
      ...(file !== undefined && { file }),
      message: `the input begins like JSON but is not: ${message}`,
      hint,
    })
  }
  const place = [file, `line ${line}, column ${column}`].filter((part) => part !== undefined).join(', ')
  const warning = `INPUT_NOT_JSON the input begins like JSON but is not (${place}: ${message}); it is sent as text`
  io.err(`${paintLine({ kind: 'warning', text: warning }, painter(io.color))}\n`)
  return text
}

/** The beginning of an object or array, but not of a text such as "[urgent] call me". */
const LIKE_JSON = /^\s*(\{\s*["}]|\[\s*["{[\]])/

function jsonIn(text: string): Json | undefined {
  try {
    return parseExact(text)
  } catch {
    return undefined
  }
}

function syntaxError(text: string) {
  const parsed = parseJson(text, 1000)
  const [problem] = 'problems' in parsed ? parsed.problems : []
  const { line, column } = new LineIndex(text).place({ offset: problem?.offset ?? 0, length: 1 })
  return { line, column, message: problem?.message ?? 'this is not valid JSON', hint: problem?.hint ?? '' }
}

/** Returns the input of an agent that clearly needs none: the schema has a default, or accepts null or an object without members. */
function emptyInput({ plan, checkInput }: Program): Json | undefined {
  const { schema } = plan.input
  if (schema === undefined || checkInput === null) return undefined
  const candidates: Json[] = []
  if (schema.default !== undefined) candidates.push(schema.default)
  const types = Array.isArray(schema.type) ? schema.type : [schema.type]
  if (types.includes('null')) candidates.push(null)
  if (types.includes('object')) candidates.push(defaultsOf(schema))
  return candidates.find((candidate) => checkInput(candidate) === null)
}

function defaultsOf({ properties }: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries((properties ?? {}) as Readonly<Record<string, JsonObject | boolean>>).flatMap(
      ([name, property]) =>
        typeof property === 'object' && property.default !== undefined ? [[name, property.default]] : [],
    ),
  )
}

async function askInput(io: Io): Promise<string> {
  const { openPrompts } = await import('../terminal/prompts.ts')
  const { prompts, streams } = await openPrompts(io)
  const answer = await prompts.text({
    ...streams,
    message: 'What should the agent do?',
    validate: (value) => ((value ?? '').trim() === '' ? 'Required.' : undefined),
  })
  if (!prompts.isCancel(answer)) return answer
  throw new WaybillError('INTERRUPTED', {
    message: 'cancelled; no run was started',
    hint: 'give the input with --input TEXT',
  })
}

/** Returns whether a file or a pipe is connected to standard input. */
async function hasInput(io: Io): Promise<boolean> {
  if (io.stdin !== process.stdin) return false
  const { fstatSync } = await import('node:fs')
  try {
    const stat = fstatSync(0)
    return stat.isFIFO() || stat.isFile()
  } catch {
    return false
  }
}

function readInputFile(file: string, io: Io): string {
  const hint = 'use --input TEXT, --input @FILE or --input -'
  const bytes = readNamedFile(file, io, { what: 'the input', hint, code: 'INPUT_UNREADABLE' })
  return utf8Text(bytes, file, 'the input')
}
