import { statSync } from 'node:fs'
import { join } from 'node:path'
import type pg from 'pg'
import { WriteStamps } from '../adapters/records/sqlite/write-stamps.ts'
import { readLogPosition } from '../platform/database/read-log-position.ts'
import { type NoticedGeneration, noticeCopiedDatabase } from '../platform/records/notice-copy.ts'
import { stampsPath } from '../settings/home.ts'
import type { EntryMaker } from '../trust/audit-chain.ts'
import type { DatabasePlace } from './platform-database.ts'

/** What tells that the database of a platform is older than it was. */
export interface DatabaseSigns {
  /** Raises the generation if the database is a copy. @returns what was noticed, or null */
  readonly notice: (nextEntry: EntryMaker) => Promise<NoticedGeneration | null>
  /** To be called after the record of a write was stored, and before the write leaves. */
  readonly stampSent: () => Promise<void>
}

/**
 * Keeps stamps of the position of the database's log: beside an embedded database, and in the folder of the stamps of all
 * homes. Processes on other machines keep their own.
 */
export function databaseSigns(
  engine: pg.Pool,
  { data, databaseUrl, env }: DatabasePlace,
  lossless: boolean,
): DatabaseSigns {
  const isEmbedded = databaseUrl === undefined
  const stamps = new WriteStamps(isEmbedded ? data : undefined, stampsPath(env))
  return {
    notice: (nextEntry) =>
      noticeCopiedDatabase(engine, {
        place: isEmbedded ? identityOf(join(data, 'postgres', 'data', 'PG_VERSION')) : undefined,
        lossless,
        stamps,
        nextEntry,
      }),
    async stampSent() {
      const { id, position } = await readLogPosition(engine)
      stamps.raise(id, position)
    },
  }
}

/** The file is written once, when the folder is created. */
function identityOf(file: string): string | undefined {
  const found = statSync(file, { bigint: true, throwIfNoEntry: false })
  return found === undefined ? undefined : `${found.ino} ${found.birthtimeNs}`
}
