import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import type { TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Json, JsonObject } from '../../../src/document/json.ts'
import { type Attack, assertAbsent, type Category, type Control, numbered } from '../attack.ts'
import {
  calling,
  Listener,
  listen,
  ModelServer,
  type Outcome,
  runAgent,
  type Scene,
  SEND_MAIL,
  type Speaks,
  shared,
  stage,
} from '../world.ts'

const models = shared(() => new ModelServer())
const collectors = shared(() => new Listener())

const KEY = 'zebra-quartz-71-lantern-mosaic'
const PERSON = 'ada.lovelace@private.example'
const WORDS = 'the-merger-with-initech-is-on-friday'

interface Seen {
  readonly outcome: Outcome
  /** All bytes that the operator's collector received. */
  readonly sent: string
}

/** Runs an agent whose spans and metrics go to the operator's collector. */
async function traced(
  t: TestContext,
  scene: Scene,
  speaks: Speaks,
  argv: readonly string[] = [],
): Promise<Seen> {
  const collector = await collectors()
  const model = await models()
  model.reset(speaks)
  const place = stage(t, {
    ...scene,
    files: { 'config.yaml': { telemetry: { otlp_endpoint: collector.url } }, ...scene.files },
  })
  const outcome = await runAgent(place, model, '--config', 'config.yaml', ...argv)
  assert.ok(collector.received.length > 0, `no telemetry was sent: ${outcome.out}${outcome.err}`)
  return { outcome, sent: collector.text }
}

const mail = (to: string) => [{ tool: 'send_mail', args: { to } }]

/** A model behind a server that chooses the ids of calls. */
const withId = (id: string) => (answer: unknown) =>
  JSON.parse(JSON.stringify(answer).replace(/"id":"c\d+"/, `"id":${JSON.stringify(id)}`)) as Json

/** Places in which a text of a person, a model or a tool takes part in a run. */
const PLACES: readonly (readonly [
  by: string,
  secret: string,
  act: (t: TestContext, secret: string) => Promise<Seen>,
])[] = [
  ['the input of a run', WORDS, (t, text) => traced(t, {}, () => 'Done.', ['--input', text])],
  ['the answer of a model', WORDS, (t, text) => traced(t, {}, () => text)],
  ['an argument of a call', PERSON, (t, text) => traced(t, {}, calling(mail(text)))],
  [
    'the goal, the instructions and a context text of a definition',
    WORDS,
    (t, text) =>
      traced(
        t,
        { agent: { goal: text, instructions: text, context: [{ type: 'text', value: text }] } },
        () => 'Done.',
      ),
  ],
  [
    'the name of a tool that a model calls and that does not exist',
    WORDS,
    (t, text) => traced(t, {}, calling([{ tool: text, args: {} }])),
  ],
  [
    'the message of a tool that fails',
    WORDS,
    (t, text) =>
      traced(
        t,
        {
          files: {
            'tools.mjs': `export const tools = { send_mail: async () => { throw new Error('${text}') } }`,
          },
        },
        calling(mail('ada')),
      ),
  ],
  [
    'the result of a tool',
    WORDS,
    (t, text) =>
      traced(
        t,
        {
          files: {
            'tools.mjs': `export const tools = { send_mail: async () => ({ '${text}': '${text}' }) }`,
          },
        },
        calling(mail('ada')),
      ),
  ],
  [
    'the query and the user name of an endpoint',
    WORDS,
    async (t, text) => {
      const server = await listen(t)
      const tool = {
        name: 'ask',
        description: 'x',
        protocol: 'http',
        endpoint: `${server.url}/x?token=${text}#${text}`,
      }
      const seen = await traced(t, { agent: { tools: [tool] } }, calling([{ tool: 'ask', args: {} }]), [
        '--allow-host',
        `127.0.0.1:${server.port}`,
      ])
      assert.ok(server.text.includes(text))
      return seen
    },
  ],
  [
    'the description and the schema of a tool',
    WORDS,
    (t, text) =>
      traced(
        t,
        {
          agent: {
            tools: [{ ...SEND_MAIL, description: text, parameters_schema: { type: 'object', title: text } }],
          },
        },
        calling(mail('ada')),
      ),
  ],
  [
    'a constraint that an answer breaks',
    WORDS,
    (t, text) => traced(t, { agent: { constraints: [`Never mention "${text}".`] } }, () => text),
  ],
  [
    'the key of a tool',
    KEY,
    async (t, text) => {
      const server = await listen(t, ({ headers }) => ({ status: 403, body: String(headers.authorization) }))
      const auth = { type: 'bearer', env_var: 'ASK_KEY' }
      const tool = { name: 'ask', description: 'x', protocol: 'http', endpoint: server.url, auth }
      const host = `127.0.0.1:${server.port}`
      const argv = ['--allow-host', host, '--allow-secret', `ASK_KEY@${host}`]
      const scene = { agent: { tools: [tool] }, env: { ASK_KEY: text } }
      const seen = await traced(t, scene, calling([{ tool: 'ask', args: {} }]), argv)
      assert.ok(server.text.includes(text))
      return seen
    },
  ],
  [
    'the failure of a model',
    WORDS,
    async (t, text) => {
      const model = await models()
      const { answers } = model
      model.answers = () => ({ status: 400, body: { error: { message: text, code: text, type: text } } })
      t.after(() => {
        model.answers = answers
      })
      return traced(t, {}, () => 'Done.')
    },
  ],
  [
    'the id of a call that a provider chooses',
    PERSON,
    async (t, text) => {
      const model = await models()
      const { answers } = model
      model.answers = (received) => ({ body: withId(text)(answers(received).body) })
      t.after(() => {
        model.answers = answers
      })
      return traced(t, {}, calling(mail('ada')))
    },
  ],
  [
    'the reason for which a provider says that it finished',
    WORDS,
    async (t, text) => {
      const model = await models()
      const { answers } = model
      model.answers = (received) => {
        const answer = JSON.stringify(answers(received).body)
        return { body: JSON.parse(answer.replace('"finish_reason":"stop"', `"finish_reason":"${text}"`)) }
      }
      t.after(() => {
        model.answers = answers
      })
      return traced(t, {}, () => 'Done.')
    },
  ],
]

const placed = PLACES.map(
  ([by, secret, act]): Omit<Attack, 'id'> => ({
    attack: 'carries a text to the collector',
    by,
    holds: 'no span and no metric contains it',
    try: async (t) => {
      const { sent } = await act(t, secret)
      assertAbsent({ 'the collector': sent }, [secret])
    },
  }),
)

/** What a collector answers to each request. */
const ANSWERS: readonly (readonly [
  attack: string,
  answer: { status?: number; headers?: Record<string, string>; body?: string },
])[] = [
  ['answers with an error', { status: 500, body: '\u001b[2J\u001b]0;pwned\u0007' }],
  ['answers with text in place of protobuf', { body: 'x'.repeat(100_000) }],
  ['asks to wait for a year', { status: 429, headers: { 'retry-after': '31536000' } }],
  ['sets a cookie', { headers: { 'set-cookie': 'track=1' } }],
]

const answered = ANSWERS.map(
  ([attack, answer]): Omit<Attack, 'id'> => ({
    attack,
    by: 'the answer of a collector',
    holds: 'the run completes, and no control sequence or cookie is used',
    try: async (t) => {
      const collector = await listen(t, () => answer)
      const model = await models()
      model.reset()
      const place = stage(t, { files: { 'config.yaml': { telemetry: { otlp_endpoint: collector.url } } } })
      const outcome = await runAgent(place, model, '--config', 'config.yaml')
      assert.equal(outcome.value.status, 'completed', outcome.out)
      assert.equal((outcome.out + outcome.err).includes('\u001b]'), false)
      for (const { headers } of collector.received) assert.equal(headers.cookie, undefined)
    },
  }),
)

/** Runs an agent whose definition names a collector. */
async function naming(
  t: TestContext,
  endpoint: string,
  argv: readonly string[] = [],
  config: JsonObject = {},
) {
  const model = await models()
  model.reset()
  const agent = { telemetry: { tracing: true, metrics: true, otlp_endpoint: endpoint } }
  const place = stage(t, { agent, files: { 'config.yaml': config } })
  return runAgent(place, model, '--config', 'config.yaml', ...argv)
}

const others: readonly Omit<Attack, 'id'>[] = [
  {
    attack: 'names a collector of its own',
    by: 'telemetry.otlp_endpoint, without a grant',
    holds: 'nothing is sent there; the operator’s collector receives the spans',
    try: async (t) => {
      const thief = await listen(t)
      const own = await collectors()
      await naming(t, thief.url, [], { telemetry: { otlp_endpoint: own.url } })
      assert.equal(thief.touched, 0)
      assert.ok(own.received.length > 0)
    },
  },
  {
    attack: 'redirects what it is sent to another server',
    by: 'the answer of a collector with a grant',
    holds: 'the redirect is not followed, though that server has a grant as well',
    try: async (t) => {
      const inside = await listen(t)
      const collector = await listen(t, () => ({
        status: 307,
        headers: { location: `${inside.url}/v1/traces` },
      }))
      const hosts = [collector, inside].flatMap(({ port }) => ['--allow-host', `127.0.0.1:${port}`])
      const outcome = await naming(t, collector.url, hosts)
      assert.equal(outcome.value.status, 'completed')
      assert.ok(collector.received.length > 0)
      assert.equal(inside.touched, 0)
    },
  },
  {
    attack: 'names a file, a process or another scheme',
    by: 'telemetry.otlp_endpoint',
    holds: 'the definition is refused, or nothing is sent',
    try: async (t) => {
      for (const endpoint of [
        'file:///tmp/x',
        'unix:/tmp/x.sock',
        'javascript:1',
        'http://user:pw@127.0.0.1:9/',
      ])
        assert.doesNotMatch((await naming(t, endpoint)).err, /pw@/, endpoint)
    },
  },
  {
    attack: 'adds headers to the requests of tools',
    by: 'TRACEPARENT and TRACESTATE with line breaks',
    holds: 'both are ignored, and no header is added',
    try: async (t) => {
      const server = await listen(t)
      const tool = { name: 'ask', description: 'x', protocol: 'http', endpoint: server.url }
      const trace = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
      for (const [parent, state] of [
        [`${trace}\r\nx-injected: 1`, 'a=b'],
        [trace, 'a=b\r\nx-injected: 1'],
        [trace, `a=${WORDS}\u0000`],
        [trace, Array.from({ length: 40 }, (_, n) => `k${n}=${WORDS}`).join()],
      ] as const) {
        const env = { TRACEPARENT: parent, TRACESTATE: state }
        await traced(t, { agent: { tools: [tool] }, env }, calling([{ tool: 'ask', args: {} }]), [
          '--allow-host',
          `127.0.0.1:${server.port}`,
        ])
      }
      assert.equal(server.received.length, 4)
      for (const { headers } of server.received) {
        assert.equal(headers['x-injected'], undefined)
        assert.doesNotMatch(String(headers.tracestate), /initech/)
      }
    },
  },
  {
    attack: 'chooses a header of credentials for the trace context',
    by: 'telemetry.trace_context_header',
    holds: 'the credential of the tool stays',
    try: async (t) => {
      const server = await listen(t)
      const host = `127.0.0.1:${server.port}`
      const auth = { type: 'bearer', env_var: 'ASK_KEY' }
      const tool = { name: 'ask', description: 'x', protocol: 'http', endpoint: server.url, auth }
      const agent = { tools: [tool], telemetry: { trace_context_header: 'Authorization' } }
      const argv = ['--allow-host', host, '--allow-secret', `ASK_KEY@${host}`]
      await traced(t, { agent, env: { ASK_KEY: KEY } }, calling([{ tool: 'ask', args: {} }]), argv)
      assert.equal(server.received[0]?.headers.authorization, `Bearer ${KEY}`)
    },
  },
  {
    attack: 'never answers',
    by: 'a collector that accepts connections and keeps silent',
    holds: 'the run completes within its own time, with a warning',
    try: async (t) => {
      const silent = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1')
      await new Promise((listening) => silent.once('listening', listening))
      t.after(() => silent.close())
      const { port } = silent.address() as { port: number }
      const model = await models()
      model.reset()
      const config = { telemetry: { otlp_endpoint: `http://127.0.0.1:${port}` } }
      const place = stage(t, { files: { 'config.yaml': config } })
      const outcome = await runAgent(place, model, '--config', 'config.yaml')
      assert.equal(outcome.value.status, 'completed')
      assert.match(JSON.stringify(outcome.value) + outcome.err, /TELEMETRY_UNSENT|collector/)
    },
  },
]

const controls: readonly Control[] = [
  {
    passes: 'the collector receives the names of the agent and of its tool',
    try: async (t) => {
      const { sent } = await traced(t, {}, calling(mail('ada')))
      assert.match(sent, /Clerk/)
      assert.match(sent, /send_mail/)
    },
  },
  {
    passes: 'a collector that a definition names receives spans after a grant, also through gzip answers',
    try: async (t) => {
      const collector = await listen(t, () => ({ headers: { 'content-encoding': 'gzip' } }))
      collector.bytes = gzipSync('')
      await naming(t, collector.url, ['--allow-host', `127.0.0.1:${collector.port}`])
      assert.match(collector.text, /Clerk/)
    },
  },
]

export const telemetry: Category = {
  name: 'Carrying data out in telemetry',
  enforced: 'the attributes of spans, which contain no free text; the endpoint gate of the collector',
  file: 'test/redteam/telemetry.test.ts',
  attacks: numbered('otlp', [...placed, ...answered, ...others]),
  controls,
}
