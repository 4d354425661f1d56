import assert from 'node:assert/strict'
import type { Json, JsonObject } from '../../../src/document/json.ts'
import { waybill } from '../../cli/fixture.ts'
import { type Attack, type Category, type Control, numbered } from '../attack.ts'
import { type Internet, NAME, openInternet, PUBLIC, type Zone } from '../internet.ts'
import { calling, ModelServer, runAgent, shared, stage } from '../world.ts'

const models = shared(() => new ModelServer())

/** A part of a definition that makes Waybill connect to the attacker's name. */
interface Way {
  readonly by: string
  readonly agent: (url: string) => JsonObject
  /** What the server at the public address answers. */
  readonly answer?: (path: string, body: string, url: string) => Json | string
  /** Calls of the tool `post`; default 0. */
  readonly calls?: number
  readonly argv?: readonly string[]
  /** True if the server is not one that the double can speak as: the request is only attempted. */
  readonly mute?: true
}

const tool = (endpoint: string, more: JsonObject = {}): JsonObject => ({
  tools: [{ name: 'post', description: 'Posts.', protocol: 'http', endpoint, ...more }],
})

const api = (url: string): JsonObject => ({
  openapi: '3.1.0',
  info: { title: 'x', version: '1' },
  servers: [{ url }],
  paths: { '/post': { post: { operationId: 'post', responses: {} } } },
})

/** MCP over HTTP: the handshake, the list of one tool and its result. */
function mcpAnswer(body: string): Json {
  const { id = null, method } = JSON.parse(body === '' ? '{}' : body) as { id?: number; method?: string }
  const schema = { type: 'object' }
  const result: Json =
    method === 'initialize'
      ? {
          protocolVersion: '2025-06-18',
          capabilities: { tools: {} },
          serverInfo: { name: 'x', version: '1' },
        }
      : method === 'tools/list'
        ? { tools: [{ name: 'post', description: 'Posts.', inputSchema: schema }] }
        : { content: [{ type: 'text', text: 'posted' }] }
  return { jsonrpc: '2.0', id, result }
}

const WAYS: readonly Way[] = [
  { by: 'the endpoint of an http tool', agent: (url) => tool(`${url}/post`), calls: 3 },
  {
    by: 'the text of a context URL',
    agent: (url) => ({
      context: [
        { type: 'url', value: `${url}/a` },
        { type: 'url', value: `${url}/b` },
      ],
    }),
    answer: () => 'a text',
  },
  {
    by: 'an OpenAPI document and its operations',
    agent: (url) => tool(`${url}/openapi.json`, { protocol: 'openapi' }),
    answer: (path, _body, url) => (path === '/openapi.json' ? api(url) : { ok: true }),
    calls: 3,
  },
  {
    by: 'the ref of a sub-agent',
    agent: (url) => ({
      orchestration: {
        subagents: [
          { ref: `${url}/a.json`, alias: 'a' },
          { ref: `${url}/b.json`, alias: 'b' },
        ],
      },
    }),
    answer: (path) => ({
      sc_standard: 'SC-006',
      agent_id: `5b0f6a0e-92a4-4f8a-9d57-3c1f6e2b8a1${path === '/a.json' ? 1 : 2}`,
      agent: { name: 'Helper', goal: 'Help.', model: { provider: 'custom', preferred: 'x' } },
    }),
  },
  {
    by: 'an MCP server over HTTP',
    agent: (url) => tool(`${url}/mcp`, { protocol: 'mcp' }),
    answer: (_path, body) => mcpAnswer(body),
    calls: 2,
  },
  {
    by: 'an MCP server over a WebSocket',
    agent: (url) => tool(url.replace('http', 'ws'), { protocol: 'mcp' }),
    calls: 1,
    mute: true,
  },
  {
    by: 'a collector of telemetry over HTTP',
    agent: (url) => ({ telemetry: { tracing: true, metrics: true, otlp_endpoint: url } }),
    answer: () => '',
  },
  {
    by: 'the base_url of a model',
    agent: (url) => ({
      model: { provider: 'custom', provider_id: 'custom', preferred: 'x', base_url: `${url}/v1` },
      runtime: { max_retries: 2 },
    }),
    answer: () => ({ error: { message: 'try again' } }),
  },
]

/** Runs an agent that uses the name, which the configuration has granted. */
async function visit(
  t: Parameters<Attack['try']>[0],
  zone: Zone,
  { agent, answer = () => ({ ok: true }), calls = 0, by }: Way,
  argv: readonly string[] = [],
): Promise<Internet> {
  const internet = await openInternet(t, zone)
  const { outside, host } = internet
  // The connection is closed after each answer, so that the next request resolves the name again.
  outside.answers = ({ path, body }) => ({
    status: by.includes('model') ? 503 : 200,
    headers: { connection: 'close' },
    body: answer(path, body, `http://${host}`),
  })
  const model = await models()
  model.reset(calling(Array.from({ length: calls }, () => ({ tool: 'post', args: {} }))))
  const place = stage(t, {
    agent: agent(`http://${host}`),
    files: { 'config.yaml': { allow_hosts: [NAME] } },
  })
  const config = ['--config', 'config.yaml', ...argv]
  if (by.includes('model'))
    await waybill(place, ['run', 'agent.json', '--tools', 'tools.mjs', '--input', 'Go', '--json', ...config])
  else await runAgent(place, model, ...config)
  return internet
}

const moved = WAYS.filter(({ mute }) => mute !== true).map(
  (way): Omit<Attack, 'id'> => ({
    attack: 'moves its name to this machine after the first connection',
    by: way.by,
    holds: 'the first request reaches the public address, and no later one reaches this machine',
    try: async (t) => {
      const { outside, inside, asked } = await visit(t, [[PUBLIC], ['127.0.0.1']], way)
      assert.ok(outside.touched > 0, 'the name was not used')
      assert.ok(asked() > 1, 'the name was resolved only once')
      assert.equal(inside.touched, 0)
    },
  }),
)

const direct = WAYS.map(
  (way): Omit<Attack, 'id'> => ({
    attack: 'resolves its name to this machine',
    by: way.by,
    holds: 'no connection is attempted',
    try: async (t) => {
      const { inside, asked, connected } = await visit(t, [['127.0.0.1']], way)
      assert.ok(asked() > 0, 'the name was not used')
      assert.equal(inside.touched, 0)
      assert.deepEqual(connected, [])
    },
  }),
)

const ANSWERS: readonly (readonly [attack: string, addresses: readonly string[]])[] = [
  ['answers with the metadata address of a cloud', ['169.254.169.254']],
  ['answers with the loopback of IPv6', ['::1']],
  ['answers with a loopback address that is mapped into IPv6', ['::ffff:7f00:1']],
  ['answers with the prefix of NAT64 before a loopback address', ['64:ff9b::7f00:1']],
  ['answers with a private address', ['10.0.0.7']],
  ['answers with the address of no host', ['0.0.0.0']],
  ['answers with a unique local address', ['fd00:ec2::254']],
  ['answers with several inside addresses', ['127.0.0.1', '10.0.0.7', '::1']],
]

const answered = ANSWERS.map(
  ([attack, addresses]): Omit<Attack, 'id'> => ({
    attack,
    by: 'a DNS server of the attacker, for the endpoint of an http tool',
    holds: 'no connection is attempted',
    try: async (t) => {
      const { inside, asked, connected } = await visit(t, [addresses], WAYS[0] as Way)
      assert.ok(asked() > 0)
      assert.equal(inside.touched, 0)
      assert.deepEqual(connected, [])
    },
  }),
)

const others: readonly Omit<Attack, 'id'>[] = [
  {
    attack: 'hides an inside address among public ones',
    by: 'a DNS answer with several addresses, the inside one first and last',
    holds: 'connections are made only to the public address',
    try: async (t) => {
      const zone = [['127.0.0.1', PUBLIC, '::1', '10.0.0.7']]
      const { inside, outside, connected } = await visit(t, zone, WAYS[0] as Way)
      assert.equal(outside.received.length, 3)
      assert.equal(inside.touched, 0)
      assert.deepEqual([...new Set(connected)], [PUBLIC])
    },
  },
  {
    attack: 'refuses the connection to its public address',
    by: 'a closed port, so that a client would try the next address, which is inside',
    holds: 'the inside address is not tried',
    try: async (t) => {
      const internet = await openInternet(t, [[PUBLIC, '127.0.0.1']])
      internet.outside.stop()
      const model = await models()
      model.reset(calling([{ tool: 'post', args: {} }]))
      const place = stage(t, {
        agent: tool(`http://${internet.host}/post`),
        files: { 'config.yaml': { allow_hosts: [NAME] } },
      })
      await runAgent(place, model, '--config', 'config.yaml')
      assert.ok(internet.connected.length > 0)
      assert.equal(internet.inside.touched, 0)
    },
  },
  {
    attack: 'redirects to its own name, which has moved to this machine',
    by: 'a redirect within one origin, for a context URL',
    holds: 'the redirect is not followed to this machine',
    try: async (t) => {
      const internet = await openInternet(t, [[PUBLIC], ['127.0.0.1']])
      internet.outside.answers = () => ({ status: 302, headers: { location: '/b', connection: 'close' } })
      const model = await models()
      model.reset()
      const place = stage(t, {
        agent: { context: [{ type: 'url', value: `http://${internet.host}/a` }] },
        files: { 'config.yaml': { allow_hosts: [NAME] } },
      })
      await runAgent(place, model, '--config', 'config.yaml')
      assert.equal(internet.outside.received.length, 1)
      assert.ok(internet.asked() > 1)
      assert.equal(internet.inside.touched, 0)
      assert.doesNotMatch(model.text, /the inside answers/)
    },
  },
  {
    attack: 'keeps a connection open while its name moves to this machine',
    by: 'keep-alive: the second request uses the first connection',
    holds: 'both requests reach the public address',
    try: async (t) => {
      const internet = await openInternet(t, [[PUBLIC], ['127.0.0.1']])
      const model = await models()
      model.reset(calling([1, 2, 3].map(() => ({ tool: 'post', args: {} }))))
      const place = stage(t, {
        agent: tool(`http://${internet.host}/post`),
        files: { 'config.yaml': { allow_hosts: [NAME] } },
      })
      await runAgent(place, model, '--config', 'config.yaml')
      assert.equal(internet.outside.received.length, 3)
      assert.equal(internet.inside.touched, 0)
    },
  },
  {
    attack: 'moves its name between the check and the connection',
    by: 'a collector of telemetry over gRPC, which opens its own connections',
    holds: 'the connection is made to the address that was checked',
    try: async (t) => {
      const internet = await openInternet(t, [[PUBLIC], ['127.0.0.1']])
      const model = await models()
      model.reset()
      const place = stage(t, {
        agent: { telemetry: { tracing: true, metrics: true, otlp_endpoint: `http://${internet.host}` } },
        files: { 'config.yaml': { allow_hosts: [NAME], telemetry: { protocol: 'grpc' } } },
      })
      await runAgent(place, model, '--config', 'config.yaml')
      assert.ok(internet.asked() > 0)
      assert.ok(internet.connected.every((address) => address === PUBLIC))
      assert.equal(internet.inside.touched, 0)
    },
  },
]

const controls: readonly Control[] = [
  {
    passes: 'a client without the gate is led to this machine by the same name server',
    try: async (t) => {
      const { inside, outside, host } = await openInternet(t, [[PUBLIC], ['127.0.0.1']])
      outside.answers = () => ({ headers: { connection: 'close' } })
      const { get } = await import('node:http')
      for (const server of [outside, inside]) {
        await new Promise((resolve) =>
          get(`http://${host}/`, { agent: false }, (got) => got.resume().on('end', resolve)),
        )
        assert.equal(server.received.length, 1)
      }
    },
  },
  {
    passes: 'the command line opens the name wherever it resolves to',
    try: async (t) => {
      const { inside, outside } = await visit(t, [[PUBLIC], ['127.0.0.1']], WAYS[0] as Way, [
        '--allow-host',
        NAME,
      ])
      assert.deepEqual([outside.received.length, inside.received.length], [1, 2])
    },
  },
  {
    passes: 'a name that stays at its public address is used for tools, texts, documents, agents and MCP',
    try: async (t) => {
      for (const way of WAYS.slice(0, 5)) {
        const { outside, inside } = await visit(t, [[PUBLIC]], way)
        assert.ok(outside.received.length > 1, way.by)
        assert.equal(inside.touched, 0)
      }
    },
  },
]

export const rebinding: Category = {
  name: 'Moving a name inside (DNS rebinding)',
  enforced: 'the guarded look-up: each connection goes to an address that passed the gate',
  file: 'test/redteam/rebinding.test.ts',
  attacks: numbered('rebind', [...moved, ...direct, ...answered, ...others]),
  controls,
}
