import { setMaxListeners } from 'node:events'
import type { McpServers } from '../../plan/operator-settings.ts'
import type { PlannedTool } from '../../plan/plan.ts'
import { type Grants, judgeUrl, parseHostGrant } from '../../policy/endpoint-gate.ts'
import type { SecretGrant } from '../../policy/secret-grant.ts'
import { ToolFailure } from '../../run/ports.ts'
import { GateRefusal } from '../net/gate-refusal.ts'
import { createGuardedFetch, openGuardedTransport } from '../net/guarded-fetch.ts'
import { authorizeTool } from '../tools/tool-auth.ts'
import type { McpTarget } from './endpoint.ts'
import type { McpConnection } from './open-connection.ts'

export interface McpOptions {
  readonly servers: McpServers
  readonly grants: Grants
  readonly env: Readonly<Record<string, string | undefined>>
  readonly secrets: readonly SecretGrant[]
  /** How long a server may take to start, to be reached and to greet. Default 30 s. */
  readonly connectMs?: number
  /** How long a call may go on without a sign of life; a progress notification is one. Default 60 s. */
  readonly idleMs?: number
}

/** For whom a connection is opened: the credential of a tool is one of its parts. */
export type ConnectionUser = Pick<PlannedTool, 'name' | 'auth'>

/** The connections of a run: each server is connected to when it is first needed, and once. */
export interface McpConnections {
  /** @throws ToolFailure (unsent) when it may not be connected to; else what the transport says */
  open(target: McpTarget, user: ConnectionUser, signal?: AbortSignal): Promise<McpConnection>
  close(): Promise<void>
}

export function createConnections(options: McpOptions): McpConnections {
  const open = new Map<string, Promise<McpConnection>>()
  let closed = false
  return {
    async open(target, user, signal) {
      if (closed) throw new ToolFailure('MCP_UNREACHABLE', 'the run has ended', 'unsent')
      const key = JSON.stringify([target, user.auth ?? null])
      const known = open.get(key)
      if (known !== undefined) {
        const connection = await known.catch(() => null)
        if (connection?.alive() === true) return connection
        if (open.get(key) === known) open.delete(key)
      }
      const again = open.get(key)
      if (again !== undefined) return again
      const opening = connectTo(target, user, options, signal)
      open.set(key, opening)
      opening.catch(() => {
        if (open.get(key) === opening) open.delete(key)
      })
      return opening
    },
    async close() {
      closed = true
      const connections = await Promise.allSettled(open.values())
      open.clear()
      await Promise.all(
        connections.map((each) => (each.status === 'fulfilled' ? each.value.close() : undefined)),
      )
    },
  }
}

async function connectTo(
  target: McpTarget,
  user: ConnectionUser,
  options: McpOptions,
  signal: AbortSignal | undefined,
): Promise<McpConnection> {
  const { env, connectMs: timeoutMs = 30_000 } = options
  const { openConnection } = await import('./open-connection.ts')
  const headers = new Headers()
  if (target.kind === 'process') {
    const missing =
      user.auth !== undefined && !target.env.includes(user.auth.secret) ? user.auth.secret : undefined
    if (missing !== undefined) {
      throw new ToolFailure(
        'SECRET_NOT_GRANTED',
        `${user.name} was not called: ${missing} may not be given to the process of ${target.server}; ` +
          `if it is meant, add it to the configuration: mcp_servers: { ${target.server}: { env: [${missing}] } }`,
        'unsent',
      )
    }
    const secrets = target.env.map((name) => env[name])
    const fetch = () => Promise.reject(new Error('a process is not reached by URL'))
    return openConnection(target, { env, headers, secrets, fetch, guarded: fetch, timeoutMs, signal })
  }
  const grants = grantsFor(target, options.grants)
  const url = new URL(target.url.replace(/^ws/i, 'http'))
  const verdict = judgeUrl(url, grants)
  if (!verdict.allowed) throw new GateRefusal(verdict.code, verdict.reason, verdict.hint)
  const secret = authorizeTool(user, url, headers, env, options.secrets)
  return openConnection(target, {
    env: {},
    headers,
    secrets: [secret, headers.get('authorization')?.split(' ')[1]],
    fetch: unlistened(createGuardedFetch({ grants })),
    guarded: (onConnectError) => openGuardedTransport({ grants, onConnectError }),
    timeoutMs,
    signal,
  })
}

/** An address that the operator wrote into the configuration may be reached, wherever it lies, for this very server. */
function grantsFor(target: Extract<McpTarget, { kind: 'address' }>, grants: Grants): Grants {
  if (target.server === undefined) return grants
  const { host } = new URL(target.url)
  const port = /^(wss|https):/i.test(target.url) ? 443 : 80
  const own = parseHostGrant(/:\d+$/.test(host) ? host : `${host}:${port}`, 'flag')
  return { ...grants, hosts: [...grants.hosts, own] }
}

/** Every request of a connection listens to the one signal that ends it: that is no leak, so nothing warns of it. */
function unlistened(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return ((input, init) => {
    if (init?.signal) setMaxListeners(0, init.signal)
    return fetch(input, init)
  }) as typeof globalThis.fetch
}
