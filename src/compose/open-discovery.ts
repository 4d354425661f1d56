import type { OperatorSettings } from '../plan/operator-settings.ts'
import type { Discover, Discoverers } from '../resolve/resolve-definition.ts'
import { discoverAdded, discoverMcp, discoverOpenApi } from './discover-tools.ts'
import { guardedUrlFetch, lazily, lazyMcp, withinMs } from './lazy-network.ts'
import type { Preparation } from './preparation.ts'

/** What reaches tool servers and other hosts while agents are resolved. */
export interface OpenedDiscovery {
  /** Fetches the texts of a definition; undefined in a rehearsal. */
  readonly fetch: typeof globalThis.fetch | undefined
  /** Returns what discovers the tools of a definition in this folder. */
  discoverersIn(folder: string | undefined): Discoverers
  /** Stops the servers that were started for discovery. */
  close(): Promise<void>
}

/** Opens the network for agents with these settings. Starts nothing before it is needed. */
export function openDiscovery(preparation: Preparation, settings: OperatorSettings): OpenedDiscovery {
  const { parts, fetched } = preparation
  const fetch = fetchOf(preparation, settings)
  const mcp = settings.rehearsal ? undefined : lazyMcp({ ...parts, settings })
  const once = (discover: Discover) => fetched?.discoverOnce(discover) ?? discover
  return {
    fetch,
    discoverersIn: (folder) => {
      const added = settings.rehearsal ? {} : discoverAdded(folder, parts, settings)
      return {
        // Its documents are fetched once; which of their servers are used depends on the grants.
        openapi: discoverOpenApi(folder, fetch, settings),
        ...(mcp !== undefined && { mcp: once(discoverMcp(mcp.open)) }),
        ...Object.fromEntries(Object.entries(added).map(([word, discover]) => [word, once(discover)])),
      }
    },
    close: async () => mcp?.close(),
  }
}

/** Returns what fetches the references of a definition; undefined in a rehearsal. */
export function fetchOf(
  { parts, fetched }: Preparation,
  settings: OperatorSettings,
): typeof globalThis.fetch | undefined {
  if (settings.rehearsal) return undefined
  const fetch = withinMs(
    lazily(() => guardedUrlFetch(settings)),
    parts.discovery?.discoverMs,
  )
  return fetched?.fetchOnce(fetch) ?? fetch
}
