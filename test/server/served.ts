import type { TestContext } from 'node:test'
import type { Platform } from '../../src/platform/platform.ts'
import {
  createServer,
  type LogLine,
  type ServerApp,
  type ServerOptions,
} from '../../src/server/create-server.ts'
import { FakePlatform } from './fake-platform.ts'

export interface Served {
  readonly server: ServerApp
  /** What the server logged. */
  readonly log: Omit<LogLine, 'error'>[]
  /** Sends a request without a socket. */
  send(method: Method, path: string, options?: Sent): Promise<Received>
}

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS' | 'PATCH'

interface Sent {
  readonly token?: string
  readonly json?: unknown
  readonly body?: string | Uint8Array
  readonly headers?: Readonly<Record<string, string>>
}

export interface Received {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
  readonly bytes: Buffer
  // biome-ignore lint/suspicious/noExplicitAny: a test reads members of any answer
  readonly json: any
}

/** Serves a platform for a test, and closes the server after it. */
export async function serve(
  t: Pick<TestContext, 'after'>,
  platform: Platform,
  options: Partial<ServerOptions> = {},
): Promise<Served> {
  const log: Served['log'] = []
  const server = await createServer(platform, {
    version: '9.9.9',
    manifest: () => ({}),
    conformance: {},
    log: ({ error: _error, ...line }) => log.push(line),
    ...options,
  })
  t.after(() => server.close(1_000))
  return {
    server,
    log,
    async send(method, path, { token, json, body, headers = {} } = {}) {
      const answer = await server.app.inject({
        method,
        url: path,
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(json !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(json !== undefined && { payload: JSON.stringify(json) }),
        ...(body !== undefined && { payload: Buffer.from(body) }),
      })
      return {
        status: answer.statusCode,
        headers: answer.headers,
        text: answer.payload,
        bytes: answer.rawPayload,
        get json() {
          return JSON.parse(answer.payload)
        },
      }
    },
  }
}

/** Serves a platform in memory with one token of role `admin`. */
export async function serveFake(t: Pick<TestContext, 'after'>, options: Partial<ServerOptions> = {}) {
  const platform = new FakePlatform()
  return { platform, token: platform.token('acme', 'admin'), ...(await serve(t, platform, options)) }
}

/** A definition of an agent, as small as possible. */
export function definition(agentId: string, version = '1.0.0'): string {
  return JSON.stringify({
    sc_standard: 'SC-006',
    sc_version: '1.0.0',
    agent_id: agentId,
    version,
    agent: { name: 'Clerk', goal: 'Answer.' },
  })
}
