import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { openPlatform } from '../../src/compose/open-platform.ts'
import { encodeDocument } from '../../src/document/encode-document.ts'
import { isObject, type Json, type JsonObject } from '../../src/document/json.ts'
import { OPENAI_OPERATIONS } from '../../src/server/openai/openai-operations.ts'
import { registerOpenAi } from '../../src/server/openai/register-openai.ts'
import { longestBlockMs } from '../server/longest-block.ts'
import { type Received, serve } from '../server/served.ts'
import { testDatabase } from './postgres.ts'

/**
 * Milliseconds of processor time in which one request may keep all others waiting. The aim is 100; on a machine that other
 * programs keep busy, the same work takes up to 2.5 times as much processor time.
 */
const LIMIT_MS = 250

/** The first attempts load and compile modules. On a busy machine, the same work takes more processor time. */
const ATTEMPTS = 8

const AGENT = '55555555-5555-4555-8555-555555555555'

interface Operation {
  readonly method: string
  readonly path: string
  readonly body?: JsonObject
  readonly maxBytes: number
  readonly maxValues: number
}

const endings: (() => unknown)[] = []
let site: ReturnType<typeof open> | undefined
after(async () => {
  for (const end of endings.reverse()) await end()
})

/** One platform for all tests, without a worker: what runs do is not measured here. */
async function open() {
  const t = { after: (end: () => unknown) => endings.push(end) } as never
  const { ownerUrl } = await testDatabase(t)
  const home = mkdtempSync(join(tmpdir(), 'waybill-loop-'))
  endings.push(() => rmSync(home, { recursive: true, force: true }))
  writeFileSync(join(home, 'config.yaml'), '{}')
  let token = ''
  const opened = await openPlatform({
    home,
    data: home,
    databaseUrl: ownerUrl,
    env: {},
    keepToken: (made) => {
      token = made
    },
    version: '9.9.9',
    log: () => {},
  })
  endings.push(() => opened.close())
  const { send } = await serve(t, opened.platform, {
    limits: { requestsPerSecond: 10_000, burst: 10_000 },
    furtherOperations: OPENAI_OPERATIONS,
    register: (app, served) => registerOpenAi(app, served, { waitMs: 10 }),
  })
  const request = (method: string, path: string, more: Parameters<typeof send>[2] = {}) =>
    send(method as 'GET', path, { token, ...more })
  const uploaded = await request('POST', '/v1/agents', { json: definitionOf(1) })
  assert.equal(uploaded.status, 201, uploaded.text)
  return { request, operations: operationsOf((await request('GET', '/openapi.json')).json as JsonObject) }
}

function definitionOf(tools: number, more: JsonObject = {}): JsonObject {
  return {
    sc_standard: 'SC-006',
    sc_version: '3.4.0',
    agent_id: AGENT,
    agent: {
      name: 'Clerk',
      goal: 'Answer.',
      tools: Array.from({ length: tools }, (_, n) => ({
        name: `tool_${n}`,
        protocol: 'function',
        description: 'Does something.',
        parameters_schema: {
          type: 'object',
          properties: Object.fromEntries(
            Array.from({ length: 10 }, (_, p) => [`p${p}`, { type: 'string', pattern: '^[a-z]{1,20}$' }]),
          ),
        },
      })),
    },
    ...more,
  }
}

function operationsOf({ paths }: JsonObject): readonly Operation[] {
  return Object.entries(paths as Record<string, JsonObject>).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, JsonObject>).map(([method, { requestBody = null }]) => {
      const { content, ...limits } = (requestBody ?? {}) as JsonObject
      const json =
        isObject(content) && isObject(content['application/json']) ? content['application/json'] : {}
      return {
        method: method.toUpperCase(),
        path,
        ...(isObject(json.schema) && { body: json.schema }),
        maxBytes: Number(limits['x-max-bytes'] ?? 0),
        maxValues: Number(limits['x-max-values'] ?? 0),
      }
    }),
  )
}

/** Ids of what exists, so that requests reach their handlers. */
function pathOf(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    name === 'agent' ? AGENT : name === 'organisation' ? 'default' : 'x1',
  )
}

/** The bodies that take longest: of the most members, of the most items, and of one text, in each member. */
function largestBodies({ body = {}, maxBytes, maxValues }: Operation): readonly string[] {
  // A state may have more; see docs/guides/http-api.md.
  const most = Math.min(maxValues, 80_000) - 100
  const names = Object.keys(isObject(body.properties) ? body.properties : { x: {} })
  const members = Object.fromEntries(
    Array.from({ length: Math.min(most / 2, maxBytes / 18) }, (_, n) => [`k${n}`, n]),
  )
  const items = Array.from({ length: Math.min(most, maxBytes / 3) }, () => 1)
  // With an address in each line: personal data is found before a run is stored.
  const text = `ada@example.org wrote what ${'many words '.repeat(5)}say\n`.repeat(
    Math.min(maxBytes, 1_048_000) / 90,
  )
  const objects = Array.from({ length: Math.min(most / 4, maxBytes / 20) }, (_, n) => ({ role: 'user', n }))
  const longest = (value: Json) => names.slice(0, 3).map((name) => ({ [name]: value }) as Json)
  return [members, ...longest(members), ...longest(items), ...longest(text), ...longest(objects)]
    .map((value) => JSON.stringify(value))
    .filter((value) => Buffer.byteLength(value) <= maxBytes)
}

async function assertShort(what: string, act: () => Promise<Received>): Promise<Received> {
  const measured: number[] = []
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    let answer: Received | undefined
    measured.push(await longestBlockMs(async () => (answer = await act())))
    if ((measured.at(-1) ?? 0) < LIMIT_MS) return answer as unknown as Received
  }
  assert.fail(`${what} holds the event loop for ${measured.map(Math.round).join(', ')} ms`)
}

describe('the event loop, on which the lease of an embedded worker is renewed', () => {
  test('is held for less than 250 ms of processor time by a route without a body', async () => {
    site ??= open()
    const { operations, request } = await site
    const tried = operations.filter(({ maxBytes }) => maxBytes === 0)
    for (const { method, path } of tried)
      await assertShort(`${method} ${path}`, () => request(method, pathOf(path)))
    assert.ok(tried.length > 60, String(tried.length))
  })

  test('is held for less than 250 ms by the largest JSON bodies of a route', async () => {
    site ??= open()
    const { operations, request } = await site
    const tried = operations.filter(({ body, path }) => body !== undefined && path !== '/v1/hooks/{hook}')
    for (const operation of tried) {
      const { method, path } = operation
      for (const body of largestBodies(operation)) {
        const headers = { 'content-type': 'application/json' }
        await assertShort(`${method} ${path} ${body.slice(0, 30)}… of ${body.length}`, () =>
          request(method, pathOf(path), { body, headers }),
        )
      }
    }
    assert.ok(tried.length > 30, String(tried.length))
  })

  test('a body of more values is refused with its limit', async () => {
    site ??= open()
    const { request } = await site
    const answer = await request('POST', `/v1/agents/${AGENT}/runs`, {
      json: { input: Array.from({ length: 200_000 }, () => 1) },
    })
    assert.equal(answer.status, 400, answer.text)
    assert.equal(answer.json.issues[0].code, 'DOCUMENT_TOO_LARGE')
    assert.match(answer.json.detail, /more than 80000 values and names/)
  })

  for (const encoding of ['json', 'yaml', 'cbor', 'msgpack'] as const)
    test(`is held for less than 250 ms by a definition with 1,000 tools in ${encoding}, and by reading it again`, async () => {
      site ??= open()
      const { request } = await site
      const type = encoding === 'msgpack' ? 'application/vnd.msgpack' : `application/${encoding}`
      // Before the measurement; each one differs, so that it is stored.
      const bodies = Array.from({ length: ATTEMPTS }, (_, n) =>
        encodeDocument(definitionOf(1000, { 'x-count': `${encoding} ${n}` }), encoding),
      )
      const answer = await assertShort(`POST /v1/agents ${encoding}`, () =>
        request('POST', '/v1/agents', {
          body: bodies.pop() ?? '',
          headers: { 'content-type': type },
        }),
      )
      assert.equal(answer.status, 201, answer.text)
      const path = `/v1/agents/${AGENT}/versions/${answer.json.version}`
      const other = encoding === 'json' ? 'application/yaml' : 'application/json'
      const again = await request('GET', path, { headers: { accept: other } })
      assert.equal(again.status, 200)
    })

  for (const [what, type, body] of [
    ['500,000 members', 'application/json', () => `{${fill(500_000, (n) => `"k${n}":1`)}}`],
    ['4,000,000 items', 'application/json', () => `[${'0,'.repeat(4_000_000)}0]`],
    ['2,000,000 items in YAML', 'application/yaml', () => '- a\n'.repeat(2_000_000)],
    [
      '400,000 aliases in YAML',
      'application/yaml',
      () => `a: &a [1]\n${fill(400_000, (n) => `k${n}: *a`, '\n')}`,
    ],
    ['one text of 8 MB in YAML', 'application/yaml', () => `a: "${'x'.repeat(8_000_000)}"`],
    ['50,000 unknown members', 'application/json', () => `{${fill(50_000, (n) => `"agen${n}":1`)}}`],
    ['100 levels', 'application/json', () => `${'['.repeat(100)}${']'.repeat(100)}`],
  ] as const)
    test(`is held for less than 250 ms by a refused definition: ${what}`, async () => {
      site ??= open()
      const { request } = await site
      const bytes = body()
      const answer = await assertShort(what, () =>
        request('POST', '/v1/agents', { body: bytes, headers: { 'content-type': type } }),
      )
      assert.equal(
        answer.status,
        answer.json.code === 'DOCUMENT_TOO_LARGE' ? 413 : 422,
        answer.text.slice(0, 500),
      )
    })
})

function fill(count: number, item: (n: number) => string, between = ','): string {
  return Array.from({ length: count }, (_, n) => item(n)).join(between)
}
