import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { WaybillError } from '../document/issue.ts'
import { isObject, type Json } from '../document/json.ts'
import { messageOf } from '../document/message-of.ts'
import { makeHome } from './home.ts'

/** The servers that `waybill login` knows. */
export interface Logins {
  /** The server that commands use without `--server`. */
  readonly current: string | null
  /** The token of each server, by its URL. */
  readonly tokens: Readonly<Record<string, string>>
  /** Who the token of a server acts for, by its URL. */
  readonly users: Readonly<Record<string, LoginUser>>
}

/** The member that a token acts for. */
export interface LoginUser {
  readonly user: string
  readonly organisation: string
}

const FILE = 'logins.json'
const NONE: Logins = { current: null, tokens: {}, users: {} }

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
    const { current = null, tokens, users = {} } = JSON.parse(text) as Partial<Logins>
    const isCurrent = current === null || typeof current === 'string'
    const isTokens = isObject(tokens) && Object.values(tokens).every((token) => typeof token === 'string')
    if (isCurrent && isTokens && isObject(users as unknown as Json) && Object.values(users).every(isUser))
      return { current, tokens, users }
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

function isUser(value: unknown): value is LoginUser {
  const { user, organisation } = (isObject(value as Json) ? value : {}) as Partial<LoginUser>
  return typeof user === 'string' && typeof organisation === 'string'
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
