import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import {
  brotliCompressSync,
  constants,
  deflateRawSync,
  deflateSync,
  gzipSync,
  zstdCompressSync,
} from 'node:zlib'
import type { JsonObject } from '../../../src/document/json.ts'
import { GO, waybill } from '../../cli/fixture.ts'
import { type Attack, assertAbsent, type Category, type Control, numbered } from '../attack.ts'
import {
  calling,
  Listener,
  ModelServer,
  promptOf,
  runAgent,
  shared,
  shownOnTerminal,
  stage,
} from '../world.ts'

const models = shared(() => new ModelServer())
const KEY = 'zebra-quartz-71-lantern-mosaic'
const PERSON = 'ada.lovelace@private.example'

/** What a hostile server answers, byte for byte. */
interface Body {
  readonly bytes: Buffer
  readonly headers?: Record<string, string>
}

const MIB = 1024 * 1024
/** Decompresses to 1 GiB: members of gzip may follow one another. */
const bomb = once(() => {
  const member = gzipSync(Buffer.alloc(16 * MIB, ' '))
  return Buffer.concat(Array.from({ length: 64 }, () => member))
})
const large = once(() => Buffer.alloc(64 * MIB, ' '))
/** More than the growth of a process that keeps to its limits, and less than half of a bomb. */
const MOST_GROWTH_KIB = 480 * 1024

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

const BOMBS: readonly (readonly [attack: string, body: () => Body])[] = [
  ['answers with a gzip bomb', () => ({ bytes: bomb(), headers: { 'content-encoding': 'gzip' } })],
  [
    'answers with a gzip bomb within gzip',
    () => ({ bytes: gzipSync(bomb()), headers: { 'content-encoding': 'gzip, gzip' } }),
  ],
  [
    'answers with a Brotli bomb',
    () => ({
      bytes: brotliCompressSync(large(), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
      headers: { 'content-encoding': 'br' },
    }),
  ],
  [
    'answers with a Zstandard bomb',
    () => ({ bytes: zstdCompressSync(large()), headers: { 'content-encoding': 'zstd' } }),
  ],
  [
    'answers with a deflate bomb',
    () => ({ bytes: deflateSync(large(), { level: 1 }), headers: { 'content-encoding': 'deflate' } }),
  ],
  ['answers with a large body', () => ({ bytes: large() })],
]

async function serving(t: TestContext, { bytes, headers = {} }: Body, status = 200): Promise<Listener> {
  const listener = await new Listener(() => ({ status, headers })).start()
  listener.bytes = bytes
  t.after(() => listener.stop())
  return listener
}

const tool = (endpoint: string, more: JsonObject = {}): JsonObject => ({
  tools: [{ name: 'ask', description: 'Asks.', protocol: 'http', endpoint, ...more }],
})

/** Runs an agent that uses a hostile server. */
async function meet(
  t: TestContext,
  server: Listener,
  agent: JsonObject,
  { env = {}, argv = [] as readonly string[], calls = 1 } = {},
) {
  const model = await models()
  model.reset(calling(Array.from({ length: calls }, () => ({ tool: 'ask', args: {} }))))
  const place = stage(t, { agent, env })
  const outcome = await runAgent(place, model, '--allow-host', `127.0.0.1:${server.port}`, ...argv)
  return { place, model, outcome }
}

/** Fails if the process has grown by what a bomb decompresses to. */
async function bounded<T>(act: () => Promise<T>): Promise<T> {
  const before = process.resourceUsage().maxRSS
  const result = await act()
  const grown = process.resourceUsage().maxRSS - before
  assert.ok(grown < MOST_GROWTH_KIB, `the process has grown by ${grown} KiB`)
  return result
}

const exploded = BOMBS.map(
  ([attack, body]): Omit<Attack, 'id'> => ({
    attack,
    by: 'the answer of an http tool',
    holds: 'memory stays bounded, and the model reads that the call was made and its answer is too large',
    try: async (t) => {
      const server = await serving(t, body())
      const { outcome, model } = await bounded(() => meet(t, server, tool(server.url)))
      assert.equal(outcome.code, 0, outcome.out)
      assert.match(model.text, /The call was made.*larger than the limit/)
    },
  }),
)

const PLACES: readonly (readonly [by: string, agent: (url: string) => JsonObject])[] = [
  ['the text of a context URL', (url) => ({ context: [{ type: 'url', value: url }] })],
  ['an OpenAPI document', (url) => tool(`${url}/api.json`, { protocol: 'openapi' })],
  [
    'the definition of a sub-agent',
    (url) => ({ orchestration: { subagents: [{ ref: `${url}/a.json`, alias: 'a' }] } }),
  ],
  ['an MCP server over HTTP', (url) => tool(`${url}/mcp`, { protocol: 'mcp' })],
  [
    'the answer of a collector',
    (url) => ({ telemetry: { tracing: true, metrics: true, otlp_endpoint: url } }),
  ],
]

const placed = PLACES.map(
  ([by, agent]): Omit<Attack, 'id'> => ({
    attack: 'answers with a bomb',
    by,
    holds: 'memory stays bounded, and nothing of it reaches the model',
    try: async (t) => {
      const server = await serving(t, { bytes: bomb(), headers: { 'content-encoding': 'gzip' } })
      const { model, outcome } = await bounded(() => meet(t, server, agent(server.url), { calls: 0 }))
      assert.ok(server.received.length > 0, 'the server was not asked')
      assert.ok(outcome.out.length < MIB && model.text.length < MIB)
    },
  }),
)

const ask = async (t: TestContext, encode: (text: string) => Body) => {
  const server = await serving(t, encode(`The key is ${KEY}, and the mail of Ada is ${PERSON}.`))
  const host = `127.0.0.1:${server.port}`
  return meet(
    t,
    server,
    {
      ...tool(server.url, { auth: { type: 'bearer', env_var: 'ASK_KEY' } }),
      compliance: { pii_handling: 'anonymize' },
    },
    { env: { ASK_KEY: KEY }, argv: ['--allow-secret', `ASK_KEY@${host}`] },
  )
}

const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16()
const utf32 = (text: string) => Buffer.from([...text].flatMap((one) => [one.charCodeAt(0), 0, 0, 0]))
const overlong = (text: string) =>
  Buffer.from([...text].flatMap((one) => [0xc0 | (one.charCodeAt(0) >> 6), 0x80 | (one.charCodeAt(0) & 63)]))
const plain = (charset: string) => ({ 'content-type': `text/plain; charset=${charset}` })

/** Encodings in which a finder of plain UTF-8 would not see a secret. */
const DISGUISES: readonly (readonly [attack: string, encode: (text: string) => Body])[] = [
  [
    'as UTF-16 that is declared',
    (text) => ({ bytes: Buffer.from(text, 'utf16le'), headers: plain('utf-16le') }),
  ],
  ['as UTF-16 that is not declared', (text) => ({ bytes: Buffer.from(text, 'utf16le') })],
  ['as UTF-16 in the other order', (text) => ({ bytes: utf16be(text) })],
  [
    'as UTF-16 with a mark, declared as UTF-8',
    (text) => ({
      bytes: Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')]),
      headers: plain('utf-8'),
    }),
  ],
  [
    'as UTF-16 within JSON',
    (text) => ({
      bytes: Buffer.from(JSON.stringify({ text }), 'utf16le'),
      headers: { 'content-type': 'application/json; charset="UTF-16LE"' },
    }),
  ],
  ['as UTF-32', (text) => ({ bytes: utf32(text), headers: plain('utf-32') })],
  [
    'as UTF-7',
    (text) => ({
      bytes: Buffer.from(`+${utf16be(text).toString('base64').replace(/=+$/, '')}-`),
      headers: plain('utf-7'),
    }),
  ],
  ['in overlong forms of UTF-8', (text) => ({ bytes: overlong(text) })],
  ['with a NUL between its letters', (text) => ({ bytes: Buffer.from([...text].join('\0')) })],
  ['in gzip', (text) => ({ bytes: gzipSync(text), headers: { 'content-encoding': 'gzip' } })],
  ['in gzip that is not declared', (text) => ({ bytes: gzipSync(text) })],
  ['in Brotli', (text) => ({ bytes: brotliCompressSync(text), headers: { 'content-encoding': 'br' } })],
  ['in Zstandard', (text) => ({ bytes: zstdCompressSync(text), headers: { 'content-encoding': 'zstd' } })],
  ['in deflate', (text) => ({ bytes: deflateSync(text), headers: { 'content-encoding': 'deflate' } })],
  ['in raw deflate', (text) => ({ bytes: deflateRawSync(text), headers: { 'content-encoding': 'deflate' } })],
  [
    'in gzip, twice',
    (text) => ({ bytes: gzipSync(gzipSync(text)), headers: { 'content-encoding': 'gzip, gzip' } }),
  ],
  [
    'in an unknown encoding',
    (text) => ({ bytes: Buffer.from(text), headers: { 'content-encoding': 'rot13' } }),
  ],
]

const disguised = DISGUISES.map(
  ([how, encode]): Omit<Attack, 'id'> => ({
    attack: `sends the key and personal data back ${how}`,
    by: 'the answer of an http tool',
    holds: 'neither reaches the model, the record or the output, also not letter by letter',
    try: async (t) => {
      const { place, model, outcome } = await ask(t, encode)
      assert.equal(model.asked.length, 2, outcome.out)
      const base64 = utf16be(KEY).toString('base64').slice(4, 40)
      const hidden = [KEY, PERSON, [...KEY].join('\0'), [...PERSON].join('\0'), base64]
      const prompts = model.asked.map(promptOf).join('\n')
      assertAbsent({ model: prompts, record: place.homeText(), out: outcome.out, err: outcome.err }, hidden)
    },
  }),
)

const others: readonly Omit<Attack, 'id'>[] = [
  ...[false, true].map(
    (streams): Omit<Attack, 'id'> => ({
      attack: 'answers with a bomb',
      by: streams ? 'the stream of a model' : 'the answer of a model',
      holds: 'memory stays bounded, and the run ends with a code',
      try: async (t) => {
        const headers = {
          'content-encoding': 'gzip',
          'content-type': streams ? 'text/event-stream' : 'application/json',
        }
        const server = await serving(t, { bytes: bomb(), headers })
        const place = stage(t, { agent: { tools: [] } })
        const said = await bounded(() =>
          streams
            ? shownOnTerminal(place, server)
            : waybill(place, [...GO, '--model', 'custom/x', '--base-url', `${server.url}/v1`, '--json']),
        )
        assert.equal(said.code, 3, said.out + said.err)
        assert.match(said.out + said.err, /MODEL_|ALL_ROUTES|larger than/)
      },
    }),
  ),
  {
    attack: 'answers a failed request with a bomb',
    by: 'an error status of an http tool',
    holds: 'memory stays bounded, and the call fails with a code',
    try: async (t) => {
      const server = await serving(t, { bytes: bomb(), headers: { 'content-encoding': 'gzip' } }, 400)
      const { outcome } = await bounded(() => meet(t, server, tool(server.url)))
      assert.match(outcome.err, /TOOL_RESULT_TOO_LARGE/)
    },
  },
  {
    attack: 'declares more encodings than a client undoes',
    by: 'Content-Encoding with a hundred members',
    holds: 'the call fails with a code',
    try: async (t) => {
      const encoding = Array(100).fill('gzip').join(', ')
      const server = await serving(t, { bytes: gzipSync('x'), headers: { 'content-encoding': encoding } })
      const { outcome } = await meet(t, server, tool(server.url))
      assert.match(outcome.err, /TOOL_UNREACHABLE/)
    },
  },
  {
    attack: 'nests its answer a hundred thousand levels deep',
    by: 'JSON of an http tool',
    holds: 'the model gets the beginning of the text, and the run continues',
    try: async (t) => {
      const bytes = Buffer.from(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)
      const server = await serving(t, { bytes, headers: { 'content-type': 'application/json' } })
      const { outcome, model } = await meet(t, server, tool(server.url))
      assert.equal(outcome.value.status, 'completed', outcome.out)
      assert.match(model.text, /\[\[\[\[/)
    },
  },
  {
    attack: 'sets a cookie to recognise later calls',
    by: 'Set-Cookie of an http tool',
    holds: 'no later request carries it, neither of this run nor of another agent',
    try: async (t) => {
      const server = await serving(t, {
        bytes: Buffer.from('ok'),
        headers: { 'set-cookie': 'track=ada; Path=/; Max-Age=9999' },
      })
      await meet(
        t,
        server,
        { ...tool(server.url), context: [{ type: 'url', value: server.url }] },
        { calls: 2 },
      )
      await meet(t, server, tool(server.url))
      assert.equal(server.received.length, 4)
      assert.deepEqual(
        server.received.map(({ headers }) => headers.cookie),
        [undefined, undefined, undefined, undefined],
      )
    },
  },
  {
    attack: 'puts line breaks into an argument that becomes a header',
    by: 'a header and a cookie parameter of an OpenAPI operation',
    holds: 'no header is added to a request',
    try: async (t) => {
      const server = await new Listener().start()
      t.after(() => server.stop())
      const parameters = ['header', 'cookie'].map((where) => ({
        name: `x-${where}`,
        in: where,
        schema: { type: 'string' },
      }))
      const api = {
        openapi: '3.1.0',
        info: { title: 'x', version: '1' },
        servers: [{ url: server.url }],
        paths: { '/ask': { get: { operationId: 'ask', parameters, responses: {} } } },
      }
      const model = await models()
      const value = 'a\r\nx-injected: 1\r\ncookie: stolen=1'
      model.reset(
        calling([
          { tool: 'ask', args: { 'x-header': value } },
          { tool: 'ask', args: { 'x-cookie': `${value}; other=1` } },
        ]),
      )
      const place = stage(t, {
        agent: tool('api.json', { protocol: 'openapi' }),
        files: { 'api.json': api },
      })
      const outcome = await runAgent(place, model, '--allow-host', `127.0.0.1:${server.port}`)
      assert.equal(outcome.value.status, 'completed', outcome.out)
      for (const { headers } of server.received) {
        assert.equal(headers['x-injected'], undefined)
        assert.doesNotMatch(headers.cookie ?? '', /stolen=1|; other=1/)
      }
    },
  },
]

const controls: readonly Control[] = [
  {
    passes: 'an answer in each encoding that is declared correctly reaches the model as text',
    try: async (t) => {
      const readable = [0, 3, 9, 11, 12, 13, 14, 15].map((n) => DISGUISES[n]?.[1])
      for (const encode of [
        ...readable,
        (text: string): Body => ({ bytes: Buffer.from(text, 'latin1'), headers: plain('iso-8859-1') }),
      ]) {
        const server = await serving(t, (encode as (text: string) => Body)('Grüße aus Köln'))
        const { model } = await meet(t, server, tool(server.url))
        assert.match(model.asked.map(promptOf).join('\n'), /Grüße aus Köln/)
      }
    },
  },
  {
    passes: 'a compressed answer below the limit reaches the model',
    try: async (t) => {
      const server = await serving(t, {
        bytes: gzipSync(`${' '.repeat(50_000)}here it ends`),
        headers: { 'content-encoding': 'gzip' },
      })
      const { model } = await meet(t, server, tool(server.url))
      assert.match(model.text, /here it ends/)
    },
  },
]

export const bodies: Category = {
  name: 'Bodies that deceive',
  enforced: 'the guarded fetch, which counts decompressed bytes; the decoding of answers before all checks',
  file: 'test/redteam/bodies.test.ts',
  attacks: numbered('body', [...exploded, ...placed, ...disguised, ...others]),
  controls,
}
