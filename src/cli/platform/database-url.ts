import type { Io } from '../io.ts'
import { usageError } from '../usage-error.ts'

/** Returns the database of the command line or of `DATABASE_URL`; undefined: the embedded one. */
export function databaseUrlOf(given: string | undefined, { env }: Pick<Io, 'env'>): string | undefined {
  const url = given ?? (env.DATABASE_URL || undefined)
  if (url === undefined) return undefined
  if (/^postgres(?:ql)?:\/\//.test(url) && URL.canParse(url)) return url
  const source = given === undefined ? 'DATABASE_URL' : '--database-url'
  // The value is not repeated: it may hold a password.
  throw usageError(
    `${source} is not the URL of a PostgreSQL database`,
    'write postgres://USER:PASSWORD@HOST:PORT/DATABASE',
  )
}
