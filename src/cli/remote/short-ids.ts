import type { Home } from '../../session/home.ts'
import { type ShortRunId, shortRunIds, shortRunIdsAmong } from '../../session/short-run-id.ts'
import { objectOf } from './remote-records.ts'
import type { ServerClient } from './server-client.ts'

/** On a server with many runs, their ids are not read: more characters make another run with them improbable. */
const LEAST_THERE = 8

/**
 * Returns the short forms of these ids. On a server they are unique among its newest runs; with an older run that ends
 * alike, the command that gets the form reports RUN_AMBIGUOUS.
 */
export async function shortIds(
  home: Pick<Home, 'runs'>,
  server: ServerClient | undefined,
  ids: readonly string[],
): Promise<ShortRunId> {
  return server === undefined ? shortRunIds(home, ids) : shortIdsThere(server, ids)
}

/** Returns the short forms of ids of a server. */
export async function shortIdsThere(server: ServerClient, ids: readonly string[]): Promise<ShortRunId> {
  if (ids.length === 0) return shortRunIdsAmong([])
  const newest = await newestIds(server)
  return shortRunIdsAmong([...new Set([...newest, ...ids])], LEAST_THERE)
}

/** A failure must not hide the result of the command. */
async function newestIds(server: ServerClient): Promise<readonly string[]> {
  try {
    const { items } = objectOf(await server.send('GET', '/v1/runs?limit=100'))
    return Array.isArray(items) ? items.map((item) => String(objectOf(item).run_id)) : []
  } catch {
    return []
  }
}
