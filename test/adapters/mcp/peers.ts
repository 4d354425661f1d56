import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type WebSocket, WebSocketServer } from 'ws'
import type { McpAddress, McpServers } from '../../../src/plan/operator-settings.ts'
import type { Grants } from '../../../src/policy/endpoint-gate.ts'
import { ownAuthority, tlsFront } from '../tls-front.ts'

const require = createRequire(import.meta.url)
const EVERYTHING = require.resolve('@modelcontextprotocol/server-everything/dist/index.js')
export const FILESYSTEM = require.resolve('@modelcontextprotocol/server-filesystem/dist/index.js')
export const MEMORY = require.resolve('@modelcontextprotocol/server-memory/dist/index.js')
export const SCRIPTED = join(import.meta.dirname, 'scripted-server.mjs')

/** The reference server `server-everything` over one of the MCP transports. */
export interface Peer {
  /** Its name is `everything`. */
  readonly servers: McpServers
  readonly grants?: Grants
  /** Ends it immediately, like a crash. */
  kill(): Promise<void>
  /** Starts it again at the same address. */
  restart(): Promise<void>
}

export const PEERS: Readonly<Record<string, (t: TestContext) => Promise<Peer>>> = {
  stdio: async () => ({
    servers: { everything: { command: process.execPath, args: [EVERYTHING, 'stdio'] } },
    kill: async () => {
      for (const pid of childrenRunning(EVERYTHING)) process.kill(pid, 'SIGKILL')
      await sleep(50)
    },
    restart: async () => {},
  }),
  'streamable HTTP': (t) => overHttp(t, 'streamableHttp', '/mcp'),
  SSE: (t) => overHttp(t, 'sse', '/sse'),
  WebSocket: overWebSocket,
  'streamable HTTP and TLS': async (t) => overTls(t, await overHttp(t, 'streamableHttp', '/mcp')),
  'SSE and TLS': async (t) => overTls(t, await overHttp(t, 'sse', '/sse')),
  'WebSocket and TLS': async (t) => overTls(t, await overWebSocket(t)),
}

/** The same server behind TLS, with a certificate of an authority that the operator names. */
async function overTls(t: TestContext, peer: Peer): Promise<Peer> {
  const authority = ownAuthority(t)
  const { url } = peer.servers.everything as McpAddress
  const front = await tlsFront(t, Number(new URL(url).port), authority.certify('IP:127.0.0.1'))
  const secure = new URL(url.replace(/^(http|ws):/, '$1s:'))
  secure.port = String(front.port)
  return {
    ...peer,
    servers: { everything: { url: secure.href } },
    grants: { hosts: [], ca_files: [authority.file] },
  }
}

/** The processes that this one started and that run this script. */
export function childrenRunning(script: string): readonly number[] {
  try {
    const found = execFileSync('pgrep', ['-P', String(process.pid), '-f', script], { encoding: 'utf8' })
    return found.trim().split('\n').map(Number)
  } catch {
    return []
  }
}

async function overHttp(t: TestContext, mode: string, path: string): Promise<Peer> {
  const port = await freePort()
  let server: ChildProcess
  const start = async () => {
    server = spawn(process.execPath, [EVERYTHING, mode], {
      env: { PATH: process.env.PATH, PORT: String(port) },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    for await (const line of createInterface(server.stderr as NodeJS.ReadableStream))
      if (line.includes('port')) break
    server.stderr?.resume()
  }
  const kill = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return
    server.kill('SIGKILL')
    await once(server, 'exit')
  }
  t.after(kill)
  await start()
  return { servers: { everything: { url: `http://127.0.0.1:${port}${path}` } }, kill, restart: start }
}

/** Each socket is connected to a separate server process over its standard streams. */
async function overWebSocket(t: TestContext): Promise<Peer> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', handleProtocols: () => 'mcp' })
  const behind = new Map<WebSocket, ChildProcess>()
  server.on('connection', (socket) => {
    const child = spawn(process.execPath, [EVERYTHING, 'stdio'], { stdio: ['pipe', 'pipe', 'ignore'] })
    behind.set(socket, child)
    createInterface(child.stdout as NodeJS.ReadableStream).on('line', (line) => socket.send(line))
    socket.on('message', (data) => child.stdin?.write(`${String(data)}\n`))
    socket.on('close', () => child.kill('SIGKILL'))
  })
  await once(server, 'listening')
  const kill = async () => {
    for (const socket of behind.keys()) socket.terminate()
    await sleep(50)
  }
  t.after(async () => {
    await kill()
    server.close()
  })
  const { port } = server.address() as { port: number }
  return { servers: { everything: { url: `ws://127.0.0.1:${port}/` } }, kill, restart: async () => {} }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
