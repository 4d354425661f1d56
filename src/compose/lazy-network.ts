import type { McpTools } from '../adapters/mcp/mcp-tools.ts'
import type { OperatorSettings } from '../plan/operator-settings.ts'
import { hostsForUse, urlFingerprint } from '../policy/call-fingerprint.ts'
import { modelGrants } from '../policy/model-providers.ts'
import type { Parts } from './parts.ts'

/** Loads the guarded transport when the first URL is fetched. */
export function lazily(open: () => Promise<typeof globalThis.fetch>): typeof globalThis.fetch {
  let opened: Promise<typeof globalThis.fetch> | undefined
  return async (input, init) => {
    opened ??= open()
    return (await opened)(input, init)
  }
}

/**
 * Limits the time of each request and its answer, so that a silent host does not block a command that starts no run.
 * @param limitMs in milliseconds; absent: the callers' own limits apply
 */
export function withinMs(
  fetch: typeof globalThis.fetch,
  limitMs: number | undefined,
): typeof globalThis.fetch {
  if (limitMs === undefined) return fetch
  return (input, init = {}) => {
    const late = new AbortController()
    const reason = `no answer within ${limitMs / 1000} s; a run and \`plan --out\` wait longer`
    // A timer that has not expired must not keep the process alive.
    setTimeout(() => late.abort(new Error(reason)), limitMs).unref()
    const signal = init.signal ? AbortSignal.any([init.signal, late.signal]) : late.signal
    return fetch(input, { ...init, signal })
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

/**
 * Fetches texts, documents and definitions by their URLs: a grant for one definition applies only to the URLs that it
 * records.
 */
export async function guardedUrlFetch(settings: OperatorSettings): Promise<typeof globalThis.fetch> {
  const forUse = (use?: string) => guardedFetch({ ...settings, grants: hostsForUse(settings.grants, use) })
  const bound = new Set(settings.grants.hosts.flatMap(({ uses = [] }) => uses))
  const plain = await forUse()
  if (bound.size === 0) return plain
  return async (input, init) => {
    const use = urlFingerprint(input instanceof Request ? input.url : input)
    return bound.has(use) ? (await forUse(use))(input, init) : plain(input, init)
  }
}

/** @param models the APIs of added providers, for model calls; absent: for tool calls */
export async function guardedFetch(
  { grants }: OperatorSettings,
  models?: readonly string[],
): Promise<typeof globalThis.fetch> {
  const { createGuardedFetch } = await import('../adapters/net/guarded-fetch.ts')
  return createGuardedFetch({ grants: models === undefined ? grants : modelGrants(grants, models) })
}
