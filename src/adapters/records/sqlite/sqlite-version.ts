import { WaybillError } from '../../../document/issue.ts'

/** Earlier versions may lose commits if several processes write to one database (fixed in 3.51.3). */
const OLDEST = [3, 51, 3] as const

/** Returns whether this version of SQLite, e.g. `3.51.3`, is safe for records. */
export function isSafeSqlite(version: string): boolean {
  const parts = version.split('.').map(Number)
  for (const [place, least] of OLDEST.entries()) {
    const part = parts[place] ?? 0
    if (Number.isNaN(part) || part < least) return false
    if (part > least) return true
  }
  return true
}

/** @throws SQLITE_TOO_OLD */
export function assertSafeSqlite(version: string | undefined): void {
  if (version !== undefined && isSafeSqlite(version)) return
  throw new WaybillError('SQLITE_TOO_OLD', {
    fault: 'failed',
    message: `this Node.js contains SQLite ${version ?? 'of an unknown version'}, which may lose commits; ${OLDEST.join('.')} or later is needed`,
    hint: 'install a newer Node.js: 24.15 or later, or 22.22.3 or a later 22',
  })
}
