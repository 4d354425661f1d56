import { WaybillError } from '../../document/issue.ts'
import type { Json } from '../../document/json.ts'
import { readAll } from '../files/read-all.ts'
import { readNamedFile } from '../files/read-any-document.ts'
import type { Io } from '../io.ts'

/**
 * Reads the input of a run: text, JSON, `@FILE` or `-`. It is JSON if the agent has an input schema and it parses as
 * JSON (contracts: run), else text. Without `--input`, piped standard input is the input.
 */
export async function readInput(
  given: string | undefined,
  hasSchema: boolean,
  io: Io,
  fileIsStdin: boolean,
): Promise<Json> {
  return asInput(await readInputText(given, io, fileIsStdin), hasSchema)
}

/** Reads the input like {@link readInput}, without parsing it. */
export async function readInputText(
  given: string | undefined,
  io: Io,
  fileIsStdin: boolean,
): Promise<string> {
  const piped = given === undefined && !fileIsStdin && io.stdin.isTTY !== true && (await hasInput(io))
  if (given === '-' && fileIsStdin) {
    throw new WaybillError('INPUT_AMBIGUOUS', {
      fault: 'usage',
      message: 'both the definition and the input come from standard input',
      hint: 'use a file for one of them',
    })
  }
  if (given === '-' || piped) return (await readAll(io.stdin)).toString('utf8')
  return given?.startsWith('@') === true ? readInputFile(given.slice(1), io) : (given ?? '')
}

/** Converts the input to its value: JSON only if the agent has an input schema. */
export function asInput(text: string, hasSchema: boolean): Json {
  if (!hasSchema) return text
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
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
  return readNamedFile(file, io, { what: 'the input', hint, code: 'INPUT_UNREADABLE' }).toString('utf8')
}
