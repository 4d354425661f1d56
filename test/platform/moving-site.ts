import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { WebSocket } from 'ws'
import { homeKeys } from '../../src/compose/home-keys.ts'
import type { JsonObject } from '../../src/document/json.ts'
import { createAdminToken } from '../../src/platform/people/first-admin.ts'
import { openPostgresRecords } from '../../src/platform/records/open-postgres-records.ts'
import { auditKeysOf, verifyHomeAudit } from '../../src/session/verify-audit.ts'
import { HANDOFF_TYPE } from '../../src/state/stream/streamed-state.ts'
import { ownAuthority } from '../adapters/tls-front.ts'
import { moveRelay, type Relay } from '../fault/move-relay.ts'
import { type Started, startProcess } from '../started-process.ts'
import { allRows } from './all-rows.ts'
import { until } from './leg-place.ts'
import { scriptedModelServer } from './model-server.ts'
import { testDatabase } from './postgres.ts'

/** Functions whose effects are lines of a file, so that they can be counted over both platforms. */
export const TOOLS = (log: string) => `
import { appendFileSync, existsSync } from 'node:fs'
const note = (text) => appendFileSync(${JSON.stringify(log)}, text + '\\n')
export const tools = {
  send: async ({ to }) => { note('send ' + to); return 'sent to ' + to },
  look: Object.assign(
    async ({ n, gate }) => {
      note('look')
      await new Promise((done) => setTimeout(done, n ?? 0))
      while (gate !== undefined && !existsSync(gate)) await new Promise((done) => setTimeout(done, 20))
      return 'seen'
    },
    { readOnly: true },
  ),
}
`

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: a test reads members of any answer
  readonly json: any
}

/** A platform of its own: database, home, keys, worker, and a server with TLS. */
export interface MovingPlatform {
  readonly url: string
  readonly admin: string
  readonly home: string
  readonly caFile: string
  /** Of its process. */
  pid(): number
  send(method: string, path: string, json?: unknown, token?: string): Promise<Answer>
  /** Posts a text as JSON. */
  raw(path: string, text: string): Promise<Answer>
  /** Sends the lines of a streaming handoff. */
  handoff(
    lines: readonly (string | Uint8Array)[],
    type?: string,
    token?: string,
    query?: string,
  ): Promise<Answer>
  /** Sends them over a WebSocket; Buffers as binary messages. A status below 1000 is that of a refused handshake. */
  socket(
    lines: readonly (string | Uint8Array)[],
    options?: { readonly headers?: Readonly<Record<string, string>>; readonly path?: string },
  ): Promise<Answer>
  /** The same, and the connection breaks after the last line. @param before awaited before it breaks */
  cutSocket(lines: readonly (string | Uint8Array)[], before?: () => Promise<void>): Promise<void>
  /** As `send`, and the request must succeed. */
  ok(method: string, path: string, json?: unknown): Promise<Answer['json']>
  upload(definition: object): Promise<void>
  status(runId: string): Promise<string>
  /** Waits until the run has this status. */
  reaches(runId: string, status: string): Promise<Answer['json']>
  audit(): Promise<{ readonly ok: boolean; readonly kinds: readonly string[] }>
  pin(other: MovingPlatform, members?: JsonObject): Promise<void>
  /** Ends the process of the platform. */
  closeServer(signal?: NodeJS.Signals): Promise<void>
  /** @param env variables of its process */
  openServer(env?: Readonly<Record<string, string>>): Promise<void>
  /** Runs a command of a person who is logged in with this token. */
  command(
    argv: readonly string[],
    env?: Readonly<Record<string, string>>,
  ): Promise<{ readonly code: number | string; readonly out: string; readonly err: string }>
  readonly sql: (text: string, values?: readonly unknown[]) => Promise<readonly JsonObject[]>
  /** Opens a transaction of the engine, which no erasure overtakes. */
  readonly fence: () => Promise<{ readonly end: () => Promise<void> }>
  /** All rows of all tables, as one text. */
  rows(): Promise<string>
  /** What the server has written since it was opened. */
  logged(): string
  /** Of the owner of its database. */
  readonly ownerUrl: string
}

export interface MovingSite {
  readonly a: MovingPlatform
  readonly b: MovingPlatform
  readonly baseUrl: string
  /** In front of a and b, if they were wanted. */
  readonly relays: readonly Relay[]
  /** The file of what the functions have done. */
  readonly log: string
  /** What the functions have done, wherever they ran. */
  effects(): readonly string[]
}

export interface MovingSiteOptions {
  /** Puts a relay in front of each platform, which can do harm to messages. */
  readonly relays?: boolean
  /** Members of the configuration of both platforms, in addition to those that every test needs. */
  readonly config?: JsonObject
  /** Variables of each server. */
  readonly env?: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** Two platforms that know nothing of one another but what is pinned. */
export async function movingSite(
  t: TestContext,
  { relays: isRelayed = false, config = {}, env: variables = {} }: MovingSiteOptions = {},
): Promise<MovingSite> {
  const closing: (() => Promise<unknown>)[] = []
  t.after(async () => {
    await Promise.all(closing.map((close) => close()))
  })
  const baseUrl = await scriptedModelServer(t)
  const folder = mkdtempSync(join(tmpdir(), 'waybill-moving-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const log = join(folder, 'effects')
  const authority = ownAuthority(t)
  const relays: Relay[] = []
  const make = async (name: string): Promise<MovingPlatform> => {
    const { ownerUrl, database } = await testDatabase(t)
    const home = mkdtempSync(join(folder, `${name}-`))
    const port = await freePort()
    const inner = isRelayed ? await freePort() : port
    const url = `https://localhost:${port}`
    writeFileSync(
      join(home, 'config.yaml'),
      JSON.stringify({
        providers: { openai: { base_urls: [baseUrl] } },
        allow_hosts: ['localhost'],
        ca_files: [authority.file],
        ...config,
      }),
    )
    writeFileSync(join(home, 'tools.mjs'), TOOLS(log))
    const tls = authority.certify('DNS:localhost')
    for (const [file, text] of Object.entries(tls)) writeFileSync(join(home, `${file}.pem`), text)
    if (isRelayed)
      relays.push(await moveRelay(t, { port, inner, tls, ca: readFileSync(authority.file, 'utf8') }))
    let admin = ''
    await createAdminToken(database.engine, (token) => {
      admin = token
    })
    let up: Started | undefined
    const logged = () => `${up?.out() ?? ''}${up?.err() ?? ''}`
    const openServer: MovingPlatform['openServer'] = async (env = {}) => {
      const started = startProcess(
        [
          ...['up', '--port', String(inner), '--public-url', url, '--lease', '1', '--json'],
          ...[
            '--cert',
            join(home, 'cert.pem'),
            '--key',
            join(home, 'key.pem'),
            '--tools',
            join(home, 'tools.mjs'),
          ],
        ],
        {
          env: {
            ...process.env,
            WAYBILL_HOME: home,
            DATABASE_URL: ownerUrl,
            OPENAI_API_KEY: 'not-used',
            ...variables[name],
            ...env,
          },
        },
      )
      up = started
      await until(async () => {
        if (started.child.exitCode !== null) throw new Error(started.out() + started.err())
        return started.out() !== ''
      }, 30_000)
    }
    const closeServer = async (signal: NodeJS.Signals = 'SIGTERM') => {
      up?.child.kill(signal)
      await up?.ended
      up = undefined
    }
    closing.push(closeServer)
    await openServer()
    const ca = readFileSync(authority.file, 'utf8')
    const send: MovingPlatform['send'] = (method, path, json, token = admin) =>
      sendBody(method, path, json === undefined ? undefined : JSON.stringify(json), 'application/json', token)
    const sendBody = (
      method: string,
      path: string,
      body: string | Buffer | undefined,
      type: string,
      token = admin,
    ) =>
      new Promise<Answer>((resolve, reject) => {
        const sent = request(
          `${url}${path}`,
          {
            method,
            ca,
            agent: false,
            headers: {
              authorization: `Bearer ${token}`,
              ...(body !== undefined && { 'content-type': type }),
            },
          },
          (answer) => {
            const chunks: Buffer[] = []
            answer.on('data', (chunk) => chunks.push(chunk))
            answer.on('end', () => {
              const text = Buffer.concat(chunks).toString()
              resolve({ status: answer.statusCode ?? 0, json: text === '' ? null : JSON.parse(text) })
            })
          },
        )
        sent.on('error', reject).end(body)
      })
    const ok: MovingPlatform['ok'] = async (method, path, json) => {
      const answer = await send(method, path, json)
      assert.ok(answer.status < 300, `${method} ${path}: ${JSON.stringify(answer.json)}\n${logged()}`)
      return answer.json
    }
    const status = async (runId: string) => (await ok('GET', `/v1/runs/${runId}`)).status
    return {
      url,
      admin,
      home,
      caFile: authority.file,
      pid: () => up?.child.pid ?? 0,
      send,
      handoff: (lines, type = HANDOFF_TYPE, token = admin, query = '') =>
        sendBody(
          'POST',
          `/v1/handoff${query}`,
          Buffer.concat(lines.map((line) => Buffer.from(line))),
          type,
          token,
        ),
      socket: (lines, { headers = { authorization: `Bearer ${admin}` }, path = '/v1/handoff' } = {}) =>
        new Promise<Answer>((resolve, reject) => {
          const socket = new WebSocket(`${url.replace('https', 'wss')}${path}`, { ca, headers })
          let last = 'null'
          socket.on('message', (data) => {
            last = String(data)
          })
          socket.on('close', (status) => resolve({ status, json: JSON.parse(last) }))
          socket.on('unexpected-response', async (_, response) => {
            const text = Buffer.concat(await Array.fromAsync(response as AsyncIterable<Buffer>)).toString()
            resolve({ status: response.statusCode ?? 0, json: JSON.parse(text) })
          })
          socket.on('error', reject)
          socket.on('open', () => {
            for (const line of lines) socket.send(typeof line === 'string' ? line.trimEnd() : line)
          })
        }),
      raw: (path, text) => sendBody('POST', path, text, 'application/json'),
      cutSocket: async (lines, before) => {
        const headers = { authorization: `Bearer ${admin}` }
        const socket = new WebSocket(`${url.replace('https', 'wss')}/v1/handoff`, { ca, headers })
        await once(socket, 'open')
        for (const line of lines) {
          const text = typeof line === 'string' ? line.trimEnd() : line
          await new Promise((sent) => socket.send(text, sent))
        }
        await before?.()
        socket.terminate()
        await once(socket, 'close')
      },
      ok,
      upload: async (definition) => {
        await ok('POST', '/v1/agents', definition)
      },
      status,
      async reaches(runId, wanted) {
        await until(async () => (await status(runId)) === wanted).catch(async (error) => {
          throw new Error(`${runId} is ${await status(runId)}: ${logged()}`, { cause: error })
        })
        return ok('GET', `/v1/runs/${runId}`)
      },
      async audit() {
        const { trust, signAudit } = homeKeys(home)
        const records = openPostgresRecords(database, 'default', { worker: null, signAudit })
        const verdict = await verifyHomeAudit(records, auditKeysOf({ trust }))
        const lines = await records.audit.lines()
        return { ok: verdict.ok, kinds: lines.map((line) => JSON.parse(line).fact.kind) }
      },
      async pin(other, members = {}) {
        const { json: keys } = await other.send('GET', '/.well-known/jwks.json')
        const { token } = await other.ok('POST', '/v1/tokens', { name: `for ${name}` })
        await ok('POST', '/v1/peers', { name: 'other', url: other.url, keys, token, users: null, ...members })
      },
      async command(argv, env = {}) {
        const started = startProcess(argv, {
          env: {
            ...process.env,
            WAYBILL_HOME: join(home, 'person'),
            WAYBILL_SERVER: url,
            WAYBILL_TOKEN: admin,
            NODE_EXTRA_CA_CERTS: authority.file,
            ...env,
          },
        })
        const code = await started.ended
        return { code, out: started.out(), err: started.err() }
      },
      closeServer,
      openServer,
      rows: () => allRows(database.engine),
      logged,
      sql: async (text, values = []) => (await database.engine.query(text, [...values])).rows,
      fence: async () => {
        const client = await database.engine.connect()
        await client.query('BEGIN')
        await client.query('SELECT pg_current_xact_id()')
        return {
          end: async () => {
            await client.query('ROLLBACK')
            client.release()
          },
        }
      },
      ownerUrl,
    }
  }
  const a = await make('a')
  const b = await make('b')
  await a.pin(b)
  await b.pin(a)
  return {
    a,
    b,
    baseUrl,
    relays,
    log,
    effects: () => (existsSync(log) ? readFileSync(log, 'utf8').trim().split('\n').filter(Boolean) : []),
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}
