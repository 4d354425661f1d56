import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { WaybillError } from '../document/issue.ts'
import { isObject } from '../document/json.ts'
import { messageOf } from '../document/message-of.ts'
import { makeHome } from './home.ts'

/** The servers that `waybill login` knows. */
export interface Logins {
  /** The server that commands use without `--server`. */
  readonly current: string | null
  /** The token of each server, by its URL. */
  readonly tokens: Readonly<Record<string, string>>
}

const FILE = 'logins.json'
const NONE: Logins = { current: null, tokens: {} }

/** @throws LOGINS_DAMAGED */
export function readLogins(home: string): Logins {
  const file = join(home, FILE)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return NONE
    throw damaged(file, error)
  }
  try {
    const { current = null, tokens } = JSON.parse(text) as Partial<Logins>
    const isCurrent = current === null || typeof current === 'string'
    if (isCurrent && isObject(tokens) && Object.values(tokens).every((token) => typeof token === 'string'))
      return { current, tokens }
  } catch (error) {
    throw damaged(file, error)
  }
  throw damaged(file)
}

/** Keeps logins for this user only. A crash leaves the old or the new file. */
export function writeLogins(home: string, logins: Logins): void {
  const file = join(makeHome(home), FILE)
  const made = `${file}.${process.pid}`
  try {
    writeFileSync(made, `${JSON.stringify(logins, null, 2)}\n`, { mode: 0o600, flush: true })
    renameSync(made, file)
  } finally {
    rmSync(made, { force: true })
  }
}

function damaged(file: string, cause?: unknown): WaybillError {
  // A message of the JSON parser quotes the text.
  const why =
    cause === undefined || cause instanceof SyntaxError
      ? 'it is not what `waybill login` writes'
      : messageOf(cause)
  return new WaybillError('LOGINS_DAMAGED', {
    fault: 'usage',
    file,
    message: `the tokens of servers cannot be read: ${why}`,
    hint: 'remove the file, and use `waybill login` again',
  })
}
