import { defined } from '../../document/defined.ts'
import type { McpServer, McpServers } from '../../plan/operator-settings.ts'

/** The address of an MCP server, and the selected tool. */
export interface McpReference {
  readonly target: McpTarget
  /** The tool that the endpoint selects; absent: all tools. */
  readonly capability?: string
}

export type McpTarget =
  | {
      readonly kind: 'process'
      readonly server: string
      readonly command: string
      readonly args: readonly string[]
      /** Names of environment variables. */
      readonly env: readonly string[]
      readonly cwd?: string
      readonly trusted: boolean
      /** How long its start may take, in milliseconds. */
      readonly startMs?: number
    }
  | {
      readonly kind: 'address'
      /** Its name in the configuration; absent if only the definition names it. */
      readonly server?: string
      readonly url: string
      readonly transport: 'http' | 'sse' | 'ws'
      /** True if `sse` may be tried where the server does not support `http`. */
      readonly fallback: boolean
      readonly trusted: boolean
      readonly startMs?: number
    }

export type ReadEndpoint =
  | { readonly ok: true; readonly reference: McpReference }
  | { readonly ok: false; readonly reason: string; readonly rule: string }

/**
 * Reads the endpoint of an mcp tool (AAIF §4.4): `mcp://SERVER/CAPABILITY`, `stdio:` or a ws, wss, http or https URL.
 * A process must be named in the operator's configuration.
 */
export function readEndpoint(endpoint: string | undefined, servers: McpServers): ReadEndpoint {
  if (endpoint === undefined) return refuse('an mcp tool needs an endpoint', 'AAIF-4.4-03')
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(endpoint)?.[1]?.toLowerCase()
  switch (scheme) {
    case 'mcp':
      return named(endpoint, servers)
    case 'stdio':
      return process(endpoint, servers)
    case 'ws':
    case 'wss':
    case 'http':
    case 'https': {
      const same = Object.entries(servers).find(([, server]) => 'url' in server && server.url === endpoint)
      return found(same === undefined ? addressed(endpoint) : targetOf(same[0], same[1]))
    }
    default:
      return refuse(
        `${endpoint} is not an endpoint of an MCP server; write mcp://SERVER/TOOL, or a ws, wss, http or https URL`,
        'AAIF-4.4-03',
      )
  }
}

/** Returns the target of a server in the configuration; null if there is none of that name. */
export function targetOfServer(name: string, servers: McpServers): McpTarget | null {
  const server = Object.hasOwn(servers, name) ? servers[name] : undefined
  return server === undefined ? null : targetOf(name, server)
}

/** Returns the target of an address that only a definition names. */
export function addressed(url: string, transport?: 'http' | 'sse' | 'ws'): McpTarget {
  return {
    kind: 'address',
    url,
    transport: transport ?? transportOf(url),
    fallback: transport === undefined,
    trusted: false,
  }
}

function targetOf(name: string, server: McpServer): McpTarget {
  const { trusted = false, start_timeout_seconds: seconds } = server
  const startMs = seconds === undefined ? {} : { startMs: seconds * 1000 }
  if ('url' in server) {
    const { url, transport } = server
    return {
      kind: 'address',
      server: name,
      url,
      transport: transport ?? transportOf(url),
      fallback: transport === undefined,
      trusted,
      ...startMs,
    }
  }
  const { command, args = [], env = [], cwd } = server
  return { kind: 'process', server: name, command, args, env, ...defined({ cwd }), trusted, ...startMs }
}

function transportOf(url: string): 'http' | 'ws' {
  return /^wss?:/i.test(url) ? 'ws' : 'http'
}

function named(endpoint: string, servers: McpServers): ReadEndpoint {
  const [, server, path] = /^mcp:\/\/([^/?#]+)(?:\/([^?#]*))?$/i.exec(endpoint) ?? []
  if (server === undefined) return refuse(`${endpoint} is not of the form mcp://SERVER/TOOL`, 'AAIF-4.4-03')
  const name = decoded(server)
  const target = targetOfServer(name, servers)
  if (target === null) return refuse(notSetUp(name), 'AAIF-12-02')
  return found(target, capabilityOf(path))
}

/** `stdio:NAME`, `stdio://NAME/TOOL`, or the exact command line of a configured server. */
function process(endpoint: string, servers: McpServers): ReadEndpoint {
  const text = decoded(endpoint.slice('stdio:'.length).replace(/^\/\//, '')).trim()
  for (const [name, server] of Object.entries(servers)) {
    if (!('command' in server)) continue
    if (text === name || text === [server.command, ...(server.args ?? [])].join(' '))
      return found(targetOf(name, server))
    if (text.startsWith(`${name}/`))
      return found(targetOf(name, server), capabilityOf(text.slice(name.length + 1)))
  }
  return refuse(
    `a definition cannot start a process: "${text}" is not a server in the configuration; ` +
      'if it is intended, add it there: mcp_servers: { NAME: { command: …, args: […] } }',
    'AAIF-12-02',
  )
}

function notSetUp(name: string): string {
  return (
    `no MCP server "${name}" is configured; ` +
    `add it to the configuration: mcp_servers: { ${name}: { command: … } } or { url: … }`
  )
}

function capabilityOf(path: string | undefined): string | undefined {
  const name = decoded(path ?? '').replace(/\/+$/, '')
  return name === '' || name === '*' ? undefined : name
}

function found(target: McpTarget, capability?: string): ReadEndpoint {
  return { ok: true, reference: { target, ...defined({ capability }) } }
}

function refuse(reason: string, rule: string): ReadEndpoint {
  return { ok: false, reason, rule }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
