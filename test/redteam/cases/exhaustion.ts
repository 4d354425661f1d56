import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { WebSocket } from 'ws'
import type { JsonObject } from '../../../src/document/json.ts'
import { type Attack, type Category, type Control, numbered } from '../attack.ts'
import { AGENT, type ExhaustionWorld, exhaustionWorld, LIMITS, VIA } from '../exhaustion-world.ts'
import { calling } from '../world.ts'

/** What an organisation may do, in multiples of what a member may do. */
const ORGANISATION = 10
const PROXIED = Object.entries(VIA)
  .map(([name, value]) => `${name}: ${value}\r\n`)
  .join('')
const RUNS = `/v1/agents/${AGENT}/runs`
/** What a client gets beside a stream that it is refused. */
const TOO_MANY = 429

type Act = (world: ExhaustionWorld, t: TestContext) => Promise<void>

/** An attack after which, and while which, another organisation is served. */
function attack(what: string, by: string, holds: string, act: Act): Omit<Attack, 'id'> {
  return {
    attack: what,
    by,
    holds: `${holds}, and others are served`,
    try: async (t) => {
      const world = await exhaustionWorld()
      world.models.reset()
      await act(world, t)
      await world.othersAreServed()
    },
  }
}

/** Calls something n times at once. */
function times<T>(n: number, act: (index: number) => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: n }, (_, index) => act(index)))
}

async function members({ member }: ExhaustionWorld, n: number): Promise<readonly string[]> {
  const made: string[] = []
  for (let index = 0; index < n; index++) made.push(await member())
  return made
}

function counts(statuses: readonly number[]): Record<number, number> {
  const found: Record<number, number> = {}
  for (const status of statuses) found[status] = (found[status] ?? 0) + 1
  return found
}

/** The model does not answer runs with this input until the test ends. */
const HELD = 'until the end'

function silentModel({ models }: ExhaustionWorld, t: TestContext): void {
  const ended = Promise.withResolvers<void>()
  models.wait = ({ body }) => (body.includes(HELD) ? ended.promise : undefined)
  t.after(() => ended.resolve())
}

const WAIT = { input: HELD, wait_seconds: 5 }

/** Starts a run that lasts until the end of the test. @returns its id */
async function heldRun({ json }: ExhaustionWorld, token: string): Promise<string> {
  const answer = await json(token, RUNS, { input: HELD })
  return ((await answer.json()) as { run_id: string }).run_id
}

async function statusOfRun(answer: Response): Promise<string> {
  return ((await answer.json()) as { status: string }).status
}

/** Opens the stream of events of a run. @returns its status, and what closes it */
async function stream(world: ExhaustionWorld, token: string, run: string) {
  const end = new AbortController()
  const answer = await world.send(token, 'GET', `/v1/runs/${run}/events`, {
    signal: end.signal,
    headers: { accept: 'text/event-stream' },
  })
  // With the answer: the stream of one that is collected as garbage is closed.
  return { answer, status: answer.status, close: () => end.abort() }
}

/** Asserts that what is closed makes room: the server notices the end of a connection a moment later. */
async function opensAgain(opens: () => Promise<boolean>): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt++) {
    if (await opens()) return
    await sleep(200)
  }
  assert.fail('no place is free')
}

function closeAll(open: readonly { close(): void }[]): void {
  for (const { close } of open) close()
}

const STREAMS: readonly Omit<Attack, 'id'>[] = [
  attack(
    'opens more streams than a client needs',
    'GET /v1/runs/RUN/events',
    'the surplus is refused, and one that is closed makes room',
    async (world, t) => {
      silentModel(world, t)
      const token = await world.member()
      const run_id = await heldRun(world, token)
      const open = await times(LIMITS.concurrentStreams * 2, () => stream(world, token, run_id))
      t.after(() => closeAll(open))
      assert.deepEqual(counts(open.map(({ status }) => status)), {
        200: LIMITS.concurrentStreams,
        [TOO_MANY]: LIMITS.concurrentStreams,
      })
      closeAll(open)
      await opensAgain(async () => {
        const again = await stream(world, token, run_id)
        again.close()
        return again.status === 200
      })
    },
  ),
  attack(
    'opens streams as many members of one organisation',
    'GET /v1/runs/RUN/events',
    'the surplus is refused',
    async (world, t) => {
      silentModel(world, t)
      const tokens = await members(world, ORGANISATION + 1)
      const run_id = await heldRun(world, tokens[0] ?? '')
      const open = await Promise.all(
        tokens.map((token) => times(LIMITS.concurrentStreams, () => stream(world, token, run_id))),
      )
      t.after(() => closeAll(open.flat()))
      await world.othersAreServed()
      assert.deepEqual(counts(open.flat().map(({ status }) => status)), {
        200: LIMITS.concurrentStreams * ORGANISATION,
        [TOO_MANY]: LIMITS.concurrentStreams,
      })
    },
  ),
  attack(
    'lets many requests wait',
    '`wait_seconds` of runs whose model does not answer',
    'the surplus is refused',
    async (world, t) => {
      silentModel(world, t)
      const token = await world.member()
      const waiting = times(LIMITS.concurrentRequests * 2, () => world.json(token, RUNS, WAIT))
      const answers = await waiting
      assert.deepEqual(counts(answers.map(({ status }) => status)), {
        202: LIMITS.concurrentRequests,
        [TOO_MANY]: LIMITS.concurrentRequests,
      })
    },
  ),
  attack(
    'lets requests of many members wait',
    '`wait_seconds` of runs whose model does not answer',
    'the surplus is refused',
    async (world, t) => {
      silentModel(world, t)
      const tokens = await members(world, ORGANISATION + 2)
      const answers = await Promise.all(
        tokens.map((token) => times(LIMITS.concurrentRequests, () => world.json(token, RUNS, WAIT))),
      )
      const found = counts(answers.flat().map(({ status }) => status))
      assert.ok((found[202] ?? 0) <= LIMITS.concurrentRequests * ORGANISATION, JSON.stringify(found))
      assert.ok((found[TOO_MANY] ?? 0) >= LIMITS.concurrentRequests * 2, JSON.stringify(found))
    },
  ),
  attack(
    'sends requests as fast as it can',
    'one connection that does not wait for answers',
    'the surplus is refused',
    async (world, t) => {
      const token = await world.member()
      const { socket, received } = await world.open(t)
      const request = (more = '') =>
        `GET /v1/me HTTP/1.1\r\nhost: localhost\r\n${PROXIED}authorization: Bearer ${token}\r\n${more}\r\n`
      socket.write(request().repeat(LIMITS.burst * 3) + request('connection: close\r\n'))
      const statuses = [...(await received).matchAll(/HTTP\/1.1 (\d+) /g)].map(([, status]) => Number(status))
      assert.ok(
        statuses.filter((status) => status === TOO_MANY).length > LIMITS.burst,
        JSON.stringify(counts(statuses)),
      )
    },
  ),
  attack(
    'tries tokens',
    '300 requests with wrong ones, and then a valid one from the same address',
    'most are refused without a look, and the valid one counts',
    async (world) => {
      const answers = await times(300, (n) => world.send(`wbt_wrong${n}`, 'GET', '/v1/me'))
      assert.ok((counts(answers.map(({ status }) => status))[TOO_MANY] ?? 0) >= 200)
      const token = await world.member()
      assert.equal((await world.send(token, 'GET', '/v1/me')).status, 200)
    },
  ),
]

const KEYS: readonly Omit<Attack, 'id'>[] = [
  attack(
    'repeats a request without end',
    'one Idempotency-Key with a body of 1 MB',
    'the surplus is refused before the body is read',
    async (world) => {
      const token = await world.member()
      const body = { input: 'x'.repeat(1_000_000) }
      const headers = { 'idempotency-key': 'k' }
      const first = await world.json(token, RUNS, body, headers)
      assert.equal(first.status, 202)
      const answers: number[] = []
      for (let round = 0; round < 40; round++)
        answers.push(
          ...(await times(LIMITS.concurrentRequests, () => world.json(token, RUNS, body, headers))).map(
            ({ status }) => status,
          ),
        )
      const found = counts(answers)
      assert.deepEqual(Object.keys(found), ['202', '429'])
    },
  ),
  attack(
    'stores an answer with each of many keys',
    'requests that are refused',
    'a refusal stores nothing',
    async (world) => {
      const token = await world.member()
      const stored = async () =>
        (await world.database.engine.query('SELECT count(*)::int AS n FROM waybill.idempotency')).rows[0].n
      const before = await stored()
      const path = '/v1/agents/99999999-9999-4999-8999-999999999999/runs'
      const answers = await times(LIMITS.burst, (n) =>
        world.json(token, path, { input: 'go' }, { 'idempotency-key': `k${n}` }),
      )
      for (const { status } of answers) assert.ok([404, TOO_MANY].includes(status), String(status))
      assert.equal(await stored(), before)
    },
  ),
  attack(
    'claims many keys at once',
    'requests that wait',
    'no more than the open requests of a member are claimed',
    async (world, t) => {
      silentModel(world, t)
      const token = await world.member()
      const answers = await times(LIMITS.concurrentRequests * 4, (n) =>
        world.json(token, RUNS, WAIT, { 'idempotency-key': `k${n}` }),
      )
      const found = counts(answers.map(({ status }) => status))
      assert.equal(found[202], LIMITS.concurrentRequests, JSON.stringify(found))
    },
  ),
]

const MIB = 1024 * 1024
/** Decompresses to 1 GiB. */
function bomb(): Buffer {
  const member = gzipSync(Buffer.alloc(16 * MIB, ' '))
  return Buffer.concat(Array.from({ length: 64 }, () => member))
}

/** A request of the attacker, line by line. */
const head = (token: string, method: string, path: string, more: string) =>
  `${method} ${path} HTTP/1.1\r\nhost: localhost\r\n${PROXIED}authorization: Bearer ${token}\r\n${more}\r\n`
const JSON_BODY = 'content-type: application/json\r\n'

/** Opens many connections, and returns the status that each gets before it is closed by the server. */
async function statusesOf(
  world: ExhaustionWorld,
  t: TestContext,
  n: number,
  act: (write: (text: string) => boolean) => Promise<void> | void,
): Promise<Record<number, number>> {
  const answers = await times(n, async () => {
    const { socket, received } = await world.open(t)
    await act((text) => socket.writable && socket.write(text))
    return Number(/^HTTP\/1.1 (\d+)/.exec(await received)?.[1] ?? 0)
  })
  return counts(answers)
}

const BODIES: readonly Omit<Attack, 'id'>[] = [
  attack(
    'sends its bodies slowly',
    '50 connections, a byte at a time',
    'each is ended with 408',
    async (world, t) => {
      const token = await world.member()
      const statuses = await statusesOf(world, t, 50, async (write) => {
        write(head(token, 'POST', RUNS, `${JSON_BODY}content-length: 100000\r\n`))
        for (let sent = 0; sent < 20 && write(' '); sent++) await sleep(100)
      })
      assert.deepEqual(statuses, { 408: 50 })
    },
  ),
  attack(
    'sends its headers slowly',
    '50 connections, without a token',
    'each is ended with 408',
    async (world, t) => {
      const statuses = await statusesOf(world, t, 50, async (write) => {
        write(`GET /v1/me HTTP/1.1\r\n${PROXIED}`)
        for (let sent = 0; sent < 20 && write(`x-${sent}: y\r\n`); sent++) await sleep(100)
      })
      assert.deepEqual(statuses, { 408: 50 })
    },
  ),
  attack('keeps connections open and says nothing', '100 connections', 'each is closed', async (world, t) => {
    await statusesOf(world, t, 100, () => {})
  }),
  attack(
    'announces a body without end',
    'content-length',
    'it is refused before it is sent',
    async (world, t) => {
      const token = await world.member()
      const statuses = await statusesOf(world, t, 20, (write) => {
        write(head(token, 'POST', RUNS, `${JSON_BODY}content-length: 1099511627776\r\nconnection: close\r\n`))
      })
      assert.deepEqual(statuses, { 413: 20 })
    },
  ),
  attack('sends a body without end', 'chunks', 'it is cut at the limit', async (world, t) => {
    const token = await world.member()
    const statuses = await statusesOf(world, t, 5, async (write) => {
      write(head(token, 'POST', RUNS, `${JSON_BODY}transfer-encoding: chunked\r\nconnection: close\r\n`))
      const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`
      for (let sent = 0; sent < 64; sent++) {
        write(chunk)
        await sleep(1)
      }
    })
    assert.deepEqual(Object.keys(statuses), ['413'])
  }),
  attack(
    'sends a compressed bomb',
    'content-encoding: gzip',
    'it is refused, and never opened',
    async (world) => {
      const token = await world.member()
      const before = process.memoryUsage().rss
      const answer = await world.send(token, 'POST', RUNS, {
        body: bomb().subarray(0, MIB),
        headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
      })
      assert.equal(answer.status, 415)
      assert.ok(process.memoryUsage().rss - before < 256 * MIB)
    },
  ),
  attack('sends many headers', '2,000 of them', 'the request is refused', async (world, t) => {
    const lines = Array.from({ length: 2000 }, (_, n) => `x-${n}: ${'y'.repeat(20)}\r\n`).join('')
    const statuses = await statusesOf(world, t, 5, (write) => {
      write(head('none', 'GET', '/healthz', `${lines}connection: close\r\n`))
    })
    assert.deepEqual(statuses, { 431: 5 })
  }),
  attack('nests its body', '500,000 lists in one another', 'the request is refused', async (world) => {
    const token = await world.member()
    const answer = await world.send(token, 'POST', RUNS, {
      body: `{"input":${'['.repeat(500_000)}${']'.repeat(500_000)}}`,
      headers: { 'content-type': 'application/json' },
    })
    assert.equal(answer.status, 400)
  }),
  attack(
    'grows when it is read',
    'aliases of YAML in a definition',
    'the upload is refused',
    async (world) => {
      const token = await world.member()
      const levels = Array.from({ length: 12 }, (_, n) => `l${n}`)
      const lines = levels.map(
        (level, n) =>
          `x-${level}: &${level} [${Array(12)
            .fill(n === 0 ? 'lol' : `*l${n - 1}`)
            .join(', ')}]`,
      )
      const answer = await world.send(token, 'POST', '/v1/agents', {
        body: `sc_standard: SC-006\n${lines.join('\n')}\nagent: {name: A, goal: Do., instructions: x}\n`,
        headers: { 'content-type': 'application/yaml' },
      })
      assert.equal(answer.status, 422)
      assert.match(await answer.text(), /expand to far more data/)
    },
  ),
]

/** A handoff of the attacker, over a WebSocket. */
async function handoff(world: ExhaustionWorld, t: TestContext, token: string) {
  const socket = new WebSocket(`${world.url.replace('http', 'ws')}/v1/handoff`, {
    headers: { ...VIA, authorization: `Bearer ${token}` },
  })
  t.after(() => socket.terminate())
  socket.on('error', () => undefined)
  const status = await new Promise<number>((resolve) => {
    socket.once('open', () => resolve(101))
    socket.once('unexpected-response', (_request, { statusCode = 0 }) => resolve(statusCode))
  })
  return { socket, status }
}

const SOCKETS: readonly Omit<Attack, 'id'>[] = [
  attack('opens many WebSockets', 'GET /v1/handoff', 'the surplus is refused', async (world, t) => {
    const token = await world.member()
    const open = await times(LIMITS.concurrentStreams * 2, () => handoff(world, t, token))
    assert.deepEqual(counts(open.map(({ status }) => status)), {
      101: LIMITS.concurrentStreams,
      [TOO_MANY]: LIMITS.concurrentStreams,
    })
    for (const { socket } of open) socket.terminate()
    await opensAgain(async () => (await handoff(world, t, token)).status === 101)
  }),
  attack(
    'sends one message of 64 MB',
    'a WebSocket',
    'it is closed before the message is read',
    async (world, t) => {
      const { socket } = await handoff(world, t, await world.member())
      const closed = once(socket, 'close')
      socket.send('x'.repeat(64 * MIB))
      const [code] = await closed
      assert.ok([1006, 1009].includes(code), String(code))
    },
  ),
  attack('compresses its messages', 'a WebSocket', 'compression is not agreed on', async (world, t) => {
    const { socket } = await handoff(world, t, await world.member())
    assert.equal(socket.extensions, '')
  }),
  attack(
    'sends small messages without end',
    'a WebSocket',
    'it is closed at the first that is no line of a handoff',
    async (world, t) => {
      const { socket } = await handoff(world, t, await world.member())
      const closed = once(socket, 'close')
      for (let sent = 0; sent < 10_000 && socket.readyState === WebSocket.OPEN; sent++)
        socket.send('{"type":"x"}')
      const [code] = await closed
      assert.ok([1006, 1008].includes(code), String(code))
    },
  ),
]

/** Patterns that take exponential time in a matcher that goes back. */
const SLOW_PATTERNS = ['^(a+)+$', '^(a|aa)+$', '^(.*a){20}$', '^(([a-z])+.)+[A-Z]([a-z])+$'] as const
const LONG = `${'a'.repeat(40)}!`

function patterned(
  what: string,
  pattern: string,
  agent: (pattern: string) => JsonObject,
): Omit<Attack, 'id'> {
  return attack(
    'takes for ever to match',
    `${what}: \`${pattern}\``,
    'the upload is refused, or the run continues at once',
    async (world) => {
      const { models, member, upload, json } = world
      const token = await member()
      models.reset(calling([{ tool: 'send_mail', args: { to: LONG } }]))
      const made = await upload(token, agent(pattern), OTHER)
      if (made.status >= 300) return
      const run = await json(token, `/v1/agents/${OTHER}/runs`, { input: LONG, wait_seconds: 60 })
      const status = await statusOfRun(run)
      assert.ok(['completed', 'failed', 'awaiting_approval'].includes(status), status)
      models.reset()
    },
  )
}

const OTHER = '33333333-3333-4333-8333-333333333333'
const PATTERNS = SLOW_PATTERNS.flatMap((slow) => [
  patterned('a pattern of parameters', slow, (pattern) => ({
    tools: [
      {
        name: 'send_mail',
        description: 'Sends.',
        protocol: 'http',
        endpoint: 'https://mail.example.org/send',
        parameters_schema: { type: 'object', properties: { to: { type: 'string', pattern } } },
      },
    ],
  })),
  patterned('a pattern of names of parameters', slow, (pattern) => ({
    tools: [
      {
        name: 'send_mail',
        description: 'Sends.',
        protocol: 'http',
        endpoint: 'https://mail.example.org/send',
        parameters_schema: { type: 'object', patternProperties: { [pattern]: { type: 'string' } } },
      },
    ],
  })),
])

const CONTROLS: readonly Control[] = [
  {
    passes: 'members of one organisation, each within its limits, are served at the same time',
    try: async (t) => {
      const world = await exhaustionWorld()
      world.models.reset()
      silentModel(world, t)
      const tokens = await members(world, 3)
      const run_id = await heldRun(world, tokens[0] ?? '')
      const open = await Promise.all(
        tokens.map((token) => times(LIMITS.concurrentStreams, () => stream(world, token, run_id))),
      )
      t.after(() => closeAll(open.flat()))
      assert.deepEqual(counts(open.flat().map(({ status }) => status)), { 200: 3 * LIMITS.concurrentStreams })
    },
  },
  {
    passes: 'a body of 1 MB in chunks, and a pattern that matches in linear time',
    try: async () => {
      const world = await exhaustionWorld()
      world.models.reset()
      const token = await world.member()
      const answer = await world.json(token, RUNS, { input: 'x'.repeat(1_000_000), wait_seconds: 60 })
      assert.equal(await statusOfRun(answer), 'completed')
    },
  },
]

export const exhaustion: Category = {
  name: 'Exhaustion of the server',
  enforced:
    'limits for each member and each organisation, for time and size of requests, and patterns in linear time',
  file: 'test/redteam/exhaustion.test.ts',
  attacks: numbered('exhaustion', [...STREAMS, ...KEYS, ...BODIES, ...SOCKETS, ...PATTERNS]),
  controls: CONTROLS,
}
