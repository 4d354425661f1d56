import { WaybillError } from '../../document/issue.ts'
import type { Json } from '../../document/json.ts'
import { readAll } from '../files/read-all.ts'
import { readNamedFile } from '../files/read-any-document.ts'
import type { Io } from '../io.ts'

/**
 * The input of a run: text, JSON, `@FILE` or `-`. Read as JSON when the agent declares an input schema and it parses
 * (contracts: run), else as text. Without `--input`, piped standard input is the input.
 */
export async function readInput(
  given: string | undefined,
  hasSchema: boolean,
  io: Io,
  fileIsStdin: boolean,
): Promise<Json> {
  return asInput(await readInputText(given, io, fileIsStdin), hasSchema)
}

/** The same, as it was written. */
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
      hint: 'name a file for one of them',
    })
  }
  if (given === '-' || piped) return (await readAll(io.stdin)).toString('utf8')
  return given?.startsWith('@') === true ? readInputFile(given.slice(1), io) : (given ?? '')
}

/** What was written as the value it stands for: JSON only where the agent declares what it takes. */
export function asInput(text: string, hasSchema: boolean): Json {
  if (!hasSchema) return text
  try {
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}

/** Standard input counts as input only when somebody pipes a file or a command into it. */
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
  const hint = 'write --input TEXT, --input @FILE or --input -'
  return readNamedFile(file, io, { what: 'the input', hint, code: 'INPUT_UNREADABLE' }).toString('utf8')
}
