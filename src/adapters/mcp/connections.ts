import { setMaxListeners } from 'node:events'
import { ownMember } from '../../document/own-member.ts'
import type { McpServers } from '../../plan/operator-settings.ts'
import type { PlannedTool } from '../../plan/plan.ts'
import { callFingerprint, grantsForUse, hostsForUse } from '../../policy/call-fingerprint.ts'
import { type Grants, judgeUrl, parseHostGrant } from '../../policy/endpoint-gate.ts'
import { isOrdinaryVariable } from '../../policy/ordinary-variable.ts'
import type { SecretGrant } from '../../policy/secret-grant.ts'
import { type Secrets, ToolFailure } from '../../run/ports.ts'
import { GateRefusal } from '../net/gate-refusal.ts'
import { createGuardedFetch, openGuardedTransport } from '../net/guarded-fetch.ts'
import { untilAborted } from '../net/until-aborted.ts'
import { authorizeTool } from '../tools/tool-auth.ts'
import type { McpTarget } from './endpoint.ts'
import type { McpConnection } from './open-connection.ts'

export interface McpOptions {
  readonly servers: McpServers
  readonly grants: Grants
  /** Variables that are not secrets, such as `PATH`; see {@link isOrdinaryVariable}. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly secrets: Secrets
  readonly secretGrants: readonly SecretGrant[]
  /** Timeout for starting, connecting and the handshake. Default 30 s. */
  readonly connectMs?: number
  /** Timeout for the discovery of a server's tools, including its start. Default: `connectMs`. */
  readonly discoverMs?: number
  /** Called when a server has not answered for a second during discovery. */
  readonly onWaiting?: WaitingForServer
  /** Timeout of a call without a response; a progress notification restarts it. Default 60 s. */
  readonly idleMs?: number
}

/** @param limitMs how long it is waited for, in milliseconds */
export type WaitingForServer = (server: string, limitMs: number) => void

/** The user of a connection: includes the credential of a tool. */
export type ConnectionUser = Pick<PlannedTool, 'name' | 'auth'>

/** The connections of a run: each server is connected once, on first use. */
export interface McpConnections {
  /** @throws ToolFailure (unsent) if the connection is not allowed; otherwise the error of the transport */
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

/** Returns how long the start of a server may take, in milliseconds. */
export function startMsOf(
  { startMs }: McpTarget,
  { connectMs = 30_000 }: Pick<McpOptions, 'connectMs'>,
): number {
  return startMs ?? connectMs
}

async function connectTo(
  target: McpTarget,
  user: ConnectionUser,
  options: McpOptions,
  signal: AbortSignal | undefined,
): Promise<McpConnection> {
  const { secrets } = options
  const timeoutMs = startMsOf(target, options)
  const fetched = <T>(work: Promise<T>) => (signal === undefined ? work : untilAborted(work, signal))
  const { openConnection } = await import('./open-connection.ts')
  const headers = new Headers()
  if (target.kind === 'process') {
    const missing =
      user.auth !== undefined && !target.env.includes(user.auth.secret) ? user.auth.secret : undefined
    if (missing !== undefined) {
      throw new ToolFailure(
        'SECRET_NOT_GRANTED',
        `${user.name} was not called: ${missing} may not be passed to the process of ${target.server}; ` +
          `if it is intended, add it to the configuration: mcp_servers: { ${target.server}: { env: [${missing}] } }`,
        'unsent',
      )
    }
    const env = await fetched(variablesOf(target.env, options))
    const given = target.env.map((name) => ownMember(env, name))
    const fetch = () => Promise.reject(new Error('a process has no URL'))
    return openConnection(target, {
      env,
      headers,
      secrets: given,
      fetch,
      guarded: fetch,
      timeoutMs,
      signal,
    })
  }
  // The connection serves all tools of the address: their own calls are compared with the grants one by one.
  const use = callFingerprint({ protocol: 'mcp', endpoint: target.url, auth: user.auth })
  const grants = grantsFor(target, hostsForUse(options.grants, use))
  const url = new URL(target.url.replace(/^ws/i, 'http'))
  const verdict = judgeUrl(url, grants)
  if (!verdict.allowed) throw new GateRefusal(verdict.code, verdict.reason, verdict.hint)
  const secret = await fetched(
    authorizeTool(user, url, headers, secrets, grantsForUse(options.secretGrants, use)),
  )
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

/** Returns the variables of a server's process: `PATH`, and those that the configuration names. */
async function variablesOf(
  names: readonly string[],
  { env, secrets }: McpOptions,
): Promise<Readonly<Record<string, string>>> {
  const variables: Record<string, string> = env.PATH === undefined ? {} : { PATH: env.PATH }
  for (const name of names) {
    const value = isOrdinaryVariable(name) ? ownMember(env, name) : await secrets.get(name)
    if (value !== undefined) variables[name] = value
    else if (name !== 'PATH')
      throw new Error(`the environment variable ${name}, which its process needs, is not set`)
  }
  return variables
}

/** Grants the address in the operator's configuration, also if it is private, for this server only. */
function grantsFor(target: Extract<McpTarget, { kind: 'address' }>, grants: Grants): Grants {
  if (target.server === undefined) return grants
  const { host } = new URL(target.url)
  const port = /^(wss|https):/i.test(target.url) ? 443 : 80
  const own = parseHostGrant(/:\d+$/.test(host) ? host : `${host}:${port}`, 'flag')
  return { ...grants, hosts: [...grants.hosts, own] }
}

/** Every request of a connection listens to the same abort signal: this is not a leak, so the warning is disabled. */
function unlistened(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return ((input, init) => {
    if (init?.signal) setMaxListeners(0, init.signal)
    return fetch(input, init)
  }) as typeof globalThis.fetch
}
