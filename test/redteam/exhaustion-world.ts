import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { openPlatform } from '../../src/compose/open-platform.ts'
import type { JsonObject } from '../../src/document/json.ts'
import type { Limits } from '../../src/http/limits.ts'
import { testDatabase } from '../platform/postgres.ts'
import { serve } from '../server/served.ts'
import { ModelServer } from './world.ts'

/** Smaller than those of an installation, so that the attacks are short. */
export const LIMITS: Limits = {
  requestsPerSecond: 5,
  burst: 60,
  concurrentRequests: 5,
  concurrentStreams: 5,
}

export const AGENT = '11111111-1111-4111-8111-111111111111'
/** Asks a person before its first call, so its runs wait. */
export const ASKER = '22222222-2222-4222-8222-222222222222'

/** The attackers come through a proxy that has ended TLS, so that they may open handoffs. */
export const VIA = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'https' }

export interface ExhaustionWorld {
  readonly url: string
  readonly port: number
  readonly models: ModelServer
  readonly database: Awaited<ReturnType<typeof testDatabase>>['database']
  /** A new member of the organisation of the attacker. @returns the token of a person with all roles but `admin` */
  member(): Promise<string>
  send(token: string, method: string, path: string, more?: RequestInit): Promise<Response>
  json(token: string, path: string, body: unknown, headers?: Record<string, string>): Promise<Response>
  upload(token: string, agent: JsonObject, agentId?: string): Promise<Response>
  /** Opens a connection. @returns it, and everything that it receives until it is closed */
  open(t: TestContext): Promise<{ readonly socket: Socket; readonly received: Promise<string> }>
  /** Asserts that another organisation is served: it reads, starts a run, and gets its answer. */
  othersAreServed(): Promise<void>
}

let world: Promise<ExhaustionWorld> | undefined
const endings: (() => unknown)[] = []

/** One platform with a worker and a real socket for all attacks. */
export function exhaustionWorld(): Promise<ExhaustionWorld> {
  world ??= open()
  return world
}

export async function closeExhaustionWorld(): Promise<void> {
  for (const end of endings.reverse()) await end()
}

async function open(): Promise<ExhaustionWorld> {
  // The world lives as long as its file of tests.
  const t = { after: (end: () => unknown) => endings.push(end) } as unknown as TestContext
  const { ownerUrl, database } = await testDatabase(t)
  const home = mkdtempSync(join(tmpdir(), 'waybill-exhaustion-'))
  endings.push(() => rmSync(home, { recursive: true, force: true }))
  const models = (await new ModelServer().start()) as ModelServer
  endings.push(() => models.stop())
  writeFileSync(
    join(home, 'config.yaml'),
    JSON.stringify({
      providers: { openai: { base_urls: [`${models.url}/v1`] } },
      environment_secrets: { OPENAI_API_KEY: ['eve', 'victim'] },
    }),
  )
  let admin = ''
  const opened = await openPlatform({
    home,
    data: home,
    databaseUrl: ownerUrl,
    env: { OPENAI_API_KEY: 'not-used', PATH: process.env.PATH },
    worker: { pollMs: 20 },
    keepToken: (token) => {
      admin = token
    },
    version: '9.9.9',
    log: () => {},
  })
  endings.push(() => opened.close())
  const { server } = await serve(t, opened.platform, {
    limits: LIMITS,
    trustedProxies: ['127.0.0.1'],
    timeouts: { headersMs: 400, requestMs: 800 },
  })
  const url = await server.listen({ host: '127.0.0.1', port: 0 })
  const port = Number(new URL(url).port)

  const send: ExhaustionWorld['send'] = (token, method, path, { headers, ...more } = {}) =>
    fetch(url + path, {
      method,
      headers: { ...VIA, authorization: `Bearer ${token}`, ...(headers as Record<string, string>) },
      ...more,
    })
  const json: ExhaustionWorld['json'] = (token, path, body, headers = {}) =>
    send(token, 'POST', path, {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    })
  const done = async (sent: Promise<Response>) => {
    const answer = await sent
    // biome-ignore lint/suspicious/noExplicitAny: the members of any answer are read
    const body = (await answer.json()) as any
    if (answer.status >= 300) throw new Error(JSON.stringify({ status: answer.status, ...body }))
    return body
  }
  const model = { provider: 'openai', preferred: 'test-model', base_url: `${models.url}/v1` }
  const upload: ExhaustionWorld['upload'] = (token, agent, agent_id = AGENT) =>
    json(token, '/v1/agents', {
      sc_standard: 'SC-006',
      agent_id,
      agent: { name: 'Clerk', goal: 'Answer.', model, ...agent },
    })
  // The limits are those of a server, so another one makes the members.
  const setup = await serve(t, opened.platform, { limits: { requestsPerSecond: 10_000, burst: 10_000 } })
  const inside = async (path: string, body: unknown) => {
    const answer = await setup.send('POST', path, { token: eve, json: body })
    assert.ok(answer.status < 300, answer.text)
    return answer.json
  }
  const tokens: string[] = []
  for (const organisation of ['eve', 'victim'])
    tokens.push(
      (await done(json(admin, '/v1/organisations', { organisation, admin: { user: organisation } })))
        .admin_token.token,
    )
  const [eve = '', victim = ''] = tokens
  await done(upload(eve, {}))
  await done(upload(victim, {}))
  let members = 0
  return {
    url,
    port,
    models,
    database,
    send,
    json,
    upload,
    async member() {
      const user = `eve${++members}`
      const roles = ['author', 'operator', 'approver', 'viewer']
      await inside('/v1/organisations/eve/members', { user, roles })
      return (await inside('/v1/tokens', { user })).token
    },
    async open(test) {
      const socket = connect(port, '127.0.0.1')
      test.after(() => socket.destroy())
      let text = ''
      socket.on('data', (chunk) => {
        text += String(chunk)
      })
      const received = new Promise<string>((resolve) =>
        socket.on('error', () => undefined).on('close', () => resolve(text)),
      )
      await new Promise((resolve) => socket.once('connect', resolve))
      return { socket, received }
    },
    async othersAreServed() {
      assert.equal((await fetch(`${url}/healthz`, { headers: VIA })).status, 200)
      const run = await done(json(victim, `/v1/agents/${AGENT}/runs`, { input: 'go', wait_seconds: 60 }))
      assert.deepEqual([run.status, run.output], ['completed', 'Done.'])
      assert.equal((await send(victim, 'GET', '/v1/runs?limit=1')).status, 200)
    },
  }
}
