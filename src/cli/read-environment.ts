import { resolve } from 'node:path'
import { parseEnv } from 'node:util'
import type { Env } from '../compose/parts.ts'
import { WaybillError } from '../document/issue.ts'
import { MAX_BYTES } from '../document/read-document.ts'
import { readFileWithin } from '../document/read-file.ts'
import { unreadableHint } from '../document/unreadable-hint.ts'
import { whyUnreadable } from '../document/why-unreadable.ts'
import { DATABASE_VARIABLES } from './database-url.ts'
import { utf8Text } from './files/utf8-text.ts'
import type { Io } from './io.ts'

/**
 * Returns the variables of the process, and those that it does not set from a file: that of `--env-file`, else that of
 * the variable `WAYBILL_ENV_FILE`, which is a regular file, because it is read more than once.
 * @throws ENV_FILE_UNREADABLE, ENV_FILE_INVALID with the line, ENCODING_NOT_UTF8; none repeats what is in the file
 */
export function readEnvironment(given: string | undefined, { cwd, env }: Pick<Io, 'cwd' | 'env'>): Env {
  const file = given ?? (env.WAYBILL_ENV_FILE || undefined)
  if (file === undefined) return env
  return {
    ...readVariables(resolve(cwd, file), given === undefined ? 'WAYBILL_ENV_FILE' : '--env-file'),
    ...env,
  }
}

function readVariables(path: string, source: string): Env {
  const lines = readText(path, source).split(/\r\n|\n|\r/)
  assertAssignments(lines, path)
  const variables = parseEnv(lines.join('\n'))
  // A file on a command line may be empty. One that the operator has mounted was meant to contain something.
  if (source === 'WAYBILL_ENV_FILE' && Object.keys(variables).length === 0)
    throw invalid(path, `the file of ${source} contains no variable`)
  const empty = DATABASE_VARIABLES.find((name) => variables[name] === '')
  // The embedded database would be used instead.
  if (empty !== undefined) throw invalid(path, `${empty} has no value`)
  return variables
}

function readText(path: string, source: string): string {
  try {
    return utf8Text(
      readFileWithin(path, MAX_BYTES, source === 'WAYBILL_ENV_FILE' ? 'regular' : 'given'),
      path,
      'the file of variables',
    )
  } catch (cause) {
    if (cause instanceof WaybillError) throw cause
    throw new WaybillError('ENV_FILE_UNREADABLE', {
      fault: 'usage',
      file: path,
      message: `the file of ${source} cannot be read: ${whyUnreadable(cause)}`,
      hint: unreadableHint(path, cause, `${source} needs a file of NAME=value lines`),
      cause,
    })
  }
}

/** A variable: its value without quotes, or the quote that its value begins with and the rest of the line. */
const ASSIGNMENT = /^\s*(?:export\s+)?[\w.-]+\s*=\s*(?:(["'`])(.*)|(.*))$/

/** Node ignores a line that assigns no value, and what follows a `#`: a key would be missing, or be cut, in silence. */
function assertAssignments(lines: readonly string[], file: string): void {
  let open: string | undefined
  for (const [index, line] of lines.entries()) {
    if (open !== undefined) {
      if (line.includes(open)) open = undefined
      continue
    }
    if (/^\s*(?:#|$)/.test(line)) continue
    const found = ASSIGNMENT.exec(line)
    if (found === null) throw invalid(file, 'this line is not NAME=value', index + 1)
    const [, quote, rest = '', bare = ''] = found
    if (/\S#/.test(bare))
      throw invalid(
        file,
        'the value contains a #, which begins a comment: write the value in quotes',
        index + 1,
      )
    // A quote without a second one is part of the value.
    const spans = quote !== undefined && !rest.includes(quote)
    if (spans && lines.slice(index + 1).some((later) => later.includes(quote))) open = quote
  }
}

function invalid(file: string, message: string, line?: number): WaybillError {
  return new WaybillError('ENV_FILE_INVALID', {
    fault: 'usage',
    file,
    ...(line !== undefined && { line, column: 1 }),
    message,
    hint: 'write one NAME=value a line, such as DATABASE_URL=postgres://USER:PASSWORD@HOST/DATABASE',
  })
}
