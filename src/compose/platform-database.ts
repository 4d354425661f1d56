import { chmodSync, statSync } from 'node:fs'
import { join, sep } from 'node:path'
import { makeFolder } from '../document/make-folder.ts'
import { type DatabaseUrls, prepareDatabase } from '../platform/database/open-database.ts'
import type { Step } from '../platform/database/tables.ts'
import { TABLES } from '../platform/features.ts'
import type { Env } from './parts.ts'

/** Where the data of a platform is. */
export interface DatabasePlace {
  /** The folder of configuration and keys. Processes on several machines need the same keys. */
  readonly home: string
  /** The folder of the embedded database; used without `databaseUrl`. */
  readonly data: string
  /** The URL of the owner of a PostgreSQL database. */
  readonly databaseUrl?: string
  /** All steps of its schema; default: those of the product. */
  readonly steps?: readonly Step[]
  /** Variables of the process. */
  readonly env: Env
  /** This process may change the tables of an older version: others of that version cannot be started again then. */
  readonly upgrades?: true
  readonly log: (level: 'warn' | 'error', message: string) => void
}

/** A prepared database. */
export interface PreparedDatabase {
  /** The URL of its owner, who may change the schema. */
  readonly ownerUrl: string
  /** Those of the roles that a running platform uses. */
  readonly urls: DatabaseUrls
  /** Stops the embedded server, unless another process uses it. */
  readonly stop: () => Promise<void>
}

/**
 * Starts the embedded server if no URL is given, and prepares the database; see `upgrades`.
 * @throws DATABASE_UNREACHABLE, DATABASE_NOT_EMBEDDED, DATABASE_NEWER, DATABASE_OLDER, DATABASE_ROLE_UNSAFE
 */
export async function preparedDatabase(place: DatabasePlace): Promise<PreparedDatabase> {
  const { ownerUrl, stop } = await ownerOf(place)
  const { env } = place
  const given = {
    ...(env.WAYBILL_APP_DATABASE_URL !== undefined && { app: env.WAYBILL_APP_DATABASE_URL }),
    ...(env.WAYBILL_ENGINE_DATABASE_URL !== undefined && { engine: env.WAYBILL_ENGINE_DATABASE_URL }),
  }
  try {
    return {
      ownerUrl,
      urls: await prepareDatabase(
        ownerUrl,
        place.steps ?? TABLES.steps,
        place.databaseUrl === undefined ? {} : given,
        {
          upgrades: place.upgrades === true,
        },
      ),
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Starts the embedded server if no URL is given, and changes nothing in the database. @throws DATABASE_NOT_EMBEDDED */
export async function ownerOf({
  home,
  data,
  databaseUrl,
  log,
}: DatabasePlace): Promise<Pick<PreparedDatabase, 'ownerUrl' | 'stop'>> {
  if (databaseUrl !== undefined) return { ownerUrl: databaseUrl, stop: async () => {} }
  if (process.getuid?.() === 0) letServerEnter(home, data)
  const { startEmbedded } = await import('../platform/database/embedded/start-embedded.ts')
  const server = await startEmbedded(join(data, 'postgres'), {
    onEvent: (event) => {
      if (event.kind === 'failed') log('error', `the database cannot be restarted: ${event.error.message}`)
      else
        log(
          'warn',
          `the database ${event.kind === 'died' ? 'has died and is being restarted' : 'runs again'}`,
        )
    },
  })
  return { ownerUrl: server.url, stop: () => server.stop() }
}

/** PostgreSQL of root runs as `nobody`, who must be able to pass through these folders, and to read nothing in them. */
function letServerEnter(home: string, data: string): void {
  const own = data.startsWith(`${home}${sep}`) ? [home, data] : [data]
  for (const folder of own) {
    makeFolder(folder, 0o700)
    chmodSync(folder, (statSync(folder).mode & 0o777) | 0o001)
  }
}
