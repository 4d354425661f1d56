import type { Env } from '../compose/parts.ts'
import { variableValue } from '../document/variable-value.ts'
import { usageError } from './usage-error.ts'

/** The variables with the URL of a database: of its owner, and of the roles for requests and for workers. */
export const DATABASE_VARIABLES = [
  'DATABASE_URL',
  'WAYBILL_APP_DATABASE_URL',
  'WAYBILL_ENGINE_DATABASE_URL',
] as const

/**
 * Returns the database of the command line or of `DATABASE_URL`; undefined: the embedded one.
 * @throws USAGE
 */
export function databaseUrlOf(given: string | undefined, env: Env): string | undefined {
  const url = given ?? (env.DATABASE_URL || undefined)
  return url === undefined
    ? undefined
    : checkedUrl(url, given === undefined ? 'DATABASE_URL' : '--database-url')
}

/**
 * Returns the variables with the URLs of databases as they are meant, see {@link variableValue}.
 * @throws USAGE for a value that is not the URL of a database
 */
export function withDatabaseUrls(env: Env): Env {
  const urls = DATABASE_VARIABLES.flatMap((name) => {
    const url = env[name]
    return url ? [[name, checkedUrl(url, name)] as const] : []
  })
  return { ...env, ...Object.fromEntries(urls) }
}

function checkedUrl(given: string, source: string): string {
  const url = variableValue(given).trim()
  // The parser of URLs removes white space, and with it a part of a password.
  if (/^postgres(?:ql)?:\/\//.test(url) && !/\s/.test(url) && URL.canParse(url)) return url
  // The value is not repeated: it may hold a password.
  throw usageError(
    `${source} is not the URL of a PostgreSQL database`,
    'write postgres://USER:PASSWORD@HOST:PORT/DATABASE on one line, and in the password %40 for @, %2F for /, %23 for # and %3A for :',
  )
}
