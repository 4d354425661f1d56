import type { McpTools } from '../adapters/mcp/mcp-tools.ts'
import type { OperatorSettings } from '../plan/operator-settings.ts'
import { modelGrants } from '../policy/model-providers.ts'
import type { Parts } from './parts.ts'

/** Loads the guarded transport when the first URL is fetched. */
export function lazily(open: () => Promise<typeof fetch>): typeof fetch {
  let opened: Promise<typeof fetch> | undefined
  return async (input, init) => {
    opened ??= open()
    return (await opened)(input, init)
  }
}

interface LazyMcp {
  readonly open: () => Promise<McpTools>
  close(): Promise<void>
}

/** Opens MCP servers when the first one is needed. */
export function lazyMcp({
  settings,
  env,
  secrets,
  discovery,
}: Pick<Parts, 'settings' | 'env' | 'secrets' | 'discovery'>): LazyMcp {
  let opened: Promise<McpTools> | undefined
  return {
    open() {
      opened ??= import('../adapters/mcp/mcp-tools.ts').then(({ openMcpTools }) =>
        openMcpTools({
          servers: settings.mcp_servers ?? {},
          grants: settings.grants,
          env,
          secrets,
          secretGrants: settings.secret_grants,
          ...discovery,
        }),
      )
      return opened
    },
    close: async () => (await opened)?.close(),
  }
}

/** @param models the APIs of added providers, for model calls; absent: for tool calls */
export async function guardedFetch(
  { grants }: OperatorSettings,
  models?: readonly string[],
): Promise<typeof fetch> {
  const { createGuardedFetch } = await import('../adapters/net/guarded-fetch.ts')
  return createGuardedFetch({ grants: models === undefined ? grants : modelGrants(grants, models) })
}
