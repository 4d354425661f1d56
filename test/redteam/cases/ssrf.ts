import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { createGuardedFetch } from '../../../src/adapters/net/guarded-fetch.ts'
import type { JsonObject } from '../../../src/document/json.ts'
import { GO } from '../../cli/fixture.ts'
import { type Attack, type Category, type Control, numbered } from '../attack.ts'
import { calling, Listener, listen, ModelServer, runAgent, SEND_MAIL, shared, stage } from '../world.ts'

const models = shared(() => new ModelServer())
/** Servers on loopback, which must not be reached. */
const insides = shared(() => new Listener(() => ({ body: 'the inside answers' })))

/** What an operator may grant in a configuration opens no inside: only the command line does. */
const CONFIG = {
  allow_hosts: [
    ...['127.0.0.1', 'localhost', 'inside.localhost', '0.0.0.0', '[::1]', '[::ffff:7f00:1]', '[::]'],
    ...['[64:ff9b::7f00:1]', '169.254.169.254', '[fd00:ec2::254]', 'metadata.google.internal', '10.0.0.1'],
  ],
}

function posting(endpoint: string, more: JsonObject = {}): JsonObject {
  return { tools: [{ name: 'post', description: 'Posts.', protocol: 'http', endpoint, ...more }] }
}

/** Lets the model call `post` and gives what reached the inside. */
async function callPost(
  t: TestContext,
  agent: JsonObject,
  argv: readonly string[] = [],
  config: JsonObject = CONFIG,
) {
  const model = await models()
  model.reset(calling([{ tool: 'post', args: { leak: 'all of it' } }]))
  const place = stage(t, { agent, files: { 'config.yaml': config } })
  return runAgent(place, model, '--config', 'config.yaml', ...argv)
}

const SPELLINGS: readonly (readonly [attack: string, endpoint: string])[] = [
  ['writes the address as one decimal number', 'http://2130706433:PORT/'],
  ['writes the address as one hexadecimal number', 'http://0x7f000001:PORT/'],
  ['writes the address as one octal number', 'http://017700000001:PORT/'],
  ['writes one part in hexadecimal', 'http://0x7f.0.0.1:PORT/'],
  ['writes one part in octal', 'http://0177.0.0.1:PORT/'],
  ['shortens the address to two parts', 'http://127.1:PORT/'],
  ['shortens the address to three parts', 'http://127.0.1:PORT/'],
  ['maps IPv4 into IPv6', 'http://[::ffff:127.0.0.1]:PORT/'],
  ['maps IPv4 into IPv6 in hexadecimal', 'http://[::ffff:7f00:1]:PORT/'],
  ['names the loopback of IPv6', 'http://[::1]:PORT/'],
  ['writes the loopback of IPv6 at length', 'http://[0:0:0:0:0:0:0:1]:PORT/'],
  ['adds a zone to an IPv6 address', 'http://[::1%25lo]:PORT/'],
  ['goes through the prefix of NAT64', 'http://[64:ff9b::7f00:1]:PORT/'],
  ['ends the address in a dot', 'http://127.0.0.1.:PORT/'],
  ['says localhost', 'http://localhost:PORT/'],
  ['says a name below localhost', 'http://inside.localhost:PORT/'],
  ['says localhost in capitals and with a dot', 'http://LOCALHOST.:PORT/'],
  ['names the address of no host', 'http://0.0.0.0:PORT/'],
  ['writes zero for the address of no host', 'http://0:PORT/'],
  ['names the address of no host in IPv6', 'http://[::]:PORT/'],
  ['uses full-width digits', 'http://１２７.０.０.１:PORT/'],
  ['uses circled digits', 'http://①②⑦.⓪.⓪.①:PORT/'],
  ['separates with ideographic full stops', 'http://127。0。0。1:PORT/'],
  ['hides the host behind a user name', 'http://api.granted.example@127.0.0.1:PORT/'],
  ['uses backslashes for slashes', 'http:\\\\127.0.0.1:PORT\\api.granted.example'],
  ['encodes the digits for a URL', 'http://%31%32%37.%30.0.1:PORT/'],
  ['breaks the address with a tab', 'http://127.0.\t0.1:PORT/'],
  ['leaves out the slashes', 'http:127.0.0.1:PORT/'],
  ['leaves out the scheme', '//127.0.0.1:PORT/'],
  ['asks for the metadata of a cloud', 'http://169.254.169.254/latest/meta-data/'],
  ['asks for the metadata of a cloud in IPv6', 'http://[fd00:ec2::254]/latest/meta-data/'],
  ['asks for a file', 'file:///etc/passwd'],
  ['asks for data that it brings along', 'data:text/plain,hello'],
  ['speaks gopher', 'gopher://127.0.0.1:PORT/_GET%20/'],
  ['speaks ftp', 'ftp://127.0.0.1:PORT/'],
]

const spelled = SPELLINGS.map(
  ([attack, endpoint]): Omit<Attack, 'id'> => ({
    attack,
    by: 'the endpoint of an http tool',
    holds: 'nothing is connected to, and the model receives the reason: the tool may not be used',
    try: async (t) => {
      const inside = await insides()
      const { value, code } = await callPost(t, posting(endpoint.replace('PORT', String(inside.port))))
      assert.equal(inside.touched, 0)
      assert.equal(code, 0, JSON.stringify(value.error))
      const model = await models()
      assert.match(JSON.stringify(model.asked.at(-1)?.messages), /tool post may not be used/)
    },
  }),
)

const redirected = [301, 302, 303, 307, 308].flatMap((status) =>
  ['GET', 'POST'].map(
    (method): Omit<Attack, 'id'> => ({
      attack: `lets a server that was granted redirect a ${method} to another one with ${status}`,
      by: 'the answer of an http tool',
      holds: 'the redirect is not followed, though that one was granted as well',
      try: async (t) => {
        const inside = await insides()
        const outside = await listen(t, () => ({ status, headers: { location: `${inside.url}/secret` } }))
        const config = { ...CONFIG, tools: { post: { method } } }
        await callPost(
          t,
          posting(outside.url),
          [outside, inside].flatMap(({ port }) => ['--allow-host', `127.0.0.1:${port}`]),
          config,
        )
        assert.equal(outside.received.length, 1)
        assert.equal(inside.touched, 0)
      },
    }),
  ),
)

/** Everything else in a definition that names an address. */
const PLACES: readonly (readonly [
  attack: string,
  by: string,
  agent: (url: string) => JsonObject,
  files?: (url: string) => Record<string, JsonObject>,
])[] = [
  [
    'fetches a text from inside',
    'a context item of type url',
    (url) => ({ context: [{ type: 'url', value: url }] }),
  ],
  [
    'fetches a sub-agent from inside',
    'orchestration.subagents[].ref',
    (url) => ({ orchestration: { subagents: [{ ref: `${url}/agent.json`, alias: 'a' }] } }),
  ],
  [
    'fetches an API description from inside',
    'the endpoint of an openapi tool',
    (url) => ({
      tools: [{ name: 'post', description: 'x', protocol: 'openapi', endpoint: `${url}/openapi.json` }],
    }),
  ],
  [
    'puts the inside into the default of a server variable',
    'the servers of an OpenAPI document',
    () => ({ tools: [{ name: 'post', description: 'x', protocol: 'openapi', endpoint: 'api.json' }] }),
    (url) => ({
      'api.json': api([
        {
          url: '{scheme}://{host}',
          variables: { scheme: { default: 'http' }, host: { default: url.slice(7) } },
        },
      ]),
    }),
  ],
  [
    'puts the inside behind a server that was granted',
    'the second of the servers of an OpenAPI document',
    () => ({ tools: [{ name: 'post', description: 'x', protocol: 'openapi', endpoint: 'api.json' }] }),
    (url) => ({ 'api.json': api([{ url: 'ftp://api.granted.example' }, { url }]) }),
  ],
  [
    'refers to a schema inside',
    'a $ref in an OpenAPI document',
    () => ({ tools: [{ name: 'post', description: 'x', protocol: 'openapi', endpoint: 'api.json' }] }),
    (url) => ({ 'api.json': api([{ url: 'https://api.granted.example' }], { $ref: `${url}/schema.json` }) }),
  ],
  [
    'refers to a schema inside',
    'a $ref in parameters_schema',
    (url) => ({
      tools: [
        {
          ...SEND_MAIL,
          name: 'post',
          parameters_schema: { type: 'object', properties: { a: { $ref: `${url}/schema.json` } } },
        },
      ],
    }),
  ],
  [
    'opens an MCP session inside',
    'the http endpoint of an mcp tool',
    (url) => ({ tools: [{ name: 'post', description: 'x', protocol: 'mcp', endpoint: `${url}/mcp` }] }),
  ],
  [
    'opens a WebSocket inside',
    'the ws endpoint of an mcp tool',
    (url) => ({
      tools: [{ name: 'post', description: 'x', protocol: 'mcp', endpoint: url.replace('http', 'ws') }],
    }),
  ],
  [
    'reports its run to the inside',
    'telemetry.otlp_endpoint',
    (url) => ({ telemetry: { otlp_endpoint: url } }),
  ],
]

function api(servers: readonly JsonObject[], schema: JsonObject = { type: 'object' }): JsonObject {
  return {
    openapi: '3.1.0',
    info: { title: 'x', version: '1' },
    servers,
    paths: {
      '/post': {
        post: {
          operationId: 'post',
          requestBody: { content: { 'application/json': { schema } } },
          responses: {},
        },
      },
    },
  }
}

const placed = PLACES.map(
  ([attack, by, agent, files]): Omit<Attack, 'id'> => ({
    attack,
    by,
    holds: 'nothing is connected to',
    try: async (t) => {
      const inside = await insides()
      const model = await models()
      model.reset(calling([{ tool: 'post', args: { body: {} } }]))
      const place = stage(t, {
        agent: agent(inside.url),
        files: { 'config.yaml': CONFIG, ...files?.(inside.url) },
      })
      await runAgent(place, model, '--config', 'config.yaml')
      assert.equal(inside.touched, 0)
    },
  }),
)

const others: readonly Omit<Attack, 'id'>[] = [
  {
    attack: 'moves the model itself inside',
    by: 'model.base_url',
    holds: 'the route is closed, and nothing is connected to',
    try: async (t) => {
      const inside = await insides()
      const place = stage(t, {
        agent: {
          model: { provider: 'custom', provider_id: 'custom', preferred: 'x', base_url: `${inside.url}/v1` },
        },
        files: { 'config.yaml': CONFIG },
      })
      const { waybill } = await import('../../cli/fixture.ts')
      const said = await waybill(place, [...GO, '--config', 'config.yaml', '--json'])
      assert.notEqual(said.code, 0)
      assert.match(said.out, /private or loopback/)
      assert.equal(inside.touched, 0)
    },
  },
  {
    attack: 'reaches another port of a host that was granted with one',
    by: 'the endpoint of an http tool',
    holds: 'nothing is connected to',
    try: async (t) => {
      const inside = await insides()
      await callPost(t, posting(inside.url), ['--allow-host', `127.0.0.1:${inside.port + 1}`])
      assert.equal(inside.touched, 0)
    },
  },
  {
    attack: 'lets its own name resolve to the inside',
    by: 'DNS, at the first look-up',
    holds: 'the connection is not made, though the name was granted',
    try: async () => {
      const inside = await insides()
      const fetch = rebinding([['127.0.0.1']])
      await assert.rejects(fetch(`http://rebind.example:${inside.port}/`), /private or loopback/)
      assert.equal(inside.touched, 0)
    },
  },
  {
    attack: 'resolves outside when it is judged and inside when it is connected to',
    by: 'DNS rebinding between two look-ups',
    holds: 'each connection goes to an address that was judged',
    try: async () => {
      const inside = await insides()
      const fetch = rebinding([['192.0.2.1'], ['127.0.0.1']])
      await assert.rejects(fetch(`http://rebind.example:${inside.port}/`))
      await assert.rejects(fetch(`http://rebind.example:${inside.port}/`), /private or loopback/)
      assert.equal(inside.touched, 0)
    },
  },
  {
    attack: 'mixes an inside address among outside ones',
    by: 'DNS, several addresses at once',
    holds: 'the inside one is never tried',
    try: async () => {
      const inside = await insides()
      const fetch = rebinding([['169.254.169.254', '::ffff:127.0.0.1', '127.0.0.1']])
      await assert.rejects(
        fetch(`http://rebind.example:${inside.port}/`),
        /private|loopback|special|linkLocal/,
      )
      assert.equal(inside.touched, 0)
    },
  },
  {
    attack: 'redirects a context text to a file of this machine',
    by: 'the answer to a context item of type url',
    holds: 'the file is not read',
    try: async (t) => {
      const outside = await listen(t, () => ({ status: 302, headers: { location: 'file:///etc/passwd' } }))
      const model = await models()
      model.reset()
      const place = stage(t, { agent: { context: [{ type: 'url', value: outside.url }] } })
      await runAgent(place, model, '--allow-host', `127.0.0.1:${outside.port}`)
      assert.equal(model.text.includes(readFileSync('/etc/passwd', 'utf8').slice(0, 12)), false)
      assert.equal(outside.received.length, 1)
    },
  },
  {
    attack: 'leads out of its own folder',
    by: 'a context item of type file, and a link',
    holds: 'neither file is read',
    try: async (t) => {
      const model = await models()
      model.reset()
      const { symlinkSync, writeFileSync } = await import('node:fs')
      const place = stage(t, {
        agent: {
          context: [
            { type: 'file', value: '../../../../etc/passwd' },
            { type: 'file', value: '/etc/passwd' },
            { type: 'file', value: 'link.txt' },
          ],
        },
      })
      const out = stage(t)
      writeFileSync(join(out.folder, 'x'), 'a text from elsewhere')
      symlinkSync(join(out.folder, 'x'), join(place.folder, 'link.txt'))
      assert.equal((await runAgent(place, model)).code, 0)
      assert.doesNotMatch(model.text, /a text from elsewhere|root:/)
    },
  },
]

/** A fetch whose names resolve to these addresses in turn; the name itself is granted. */
function rebinding(answers: readonly (readonly string[])[]): typeof fetch {
  let asked = 0
  return createGuardedFetch({
    grants: { hosts: [{ host: 'rebind.example', private: false, source: 'config' }] },
    connectTimeoutMs: 150,
    lookup: (_name, _options, callback) => {
      const found = answers[Math.min(asked++, answers.length - 1)] ?? []
      callback(
        null,
        found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
      )
    },
  })
}

const controls: readonly Control[] = [
  {
    passes: 'the same call reaches the inside when the command line opens it',
    try: async (t) => {
      const inside = await insides()
      await callPost(t, posting(`${inside.url}/`), ['--allow-host', `127.0.0.1:${inside.port}`])
      assert.equal(inside.received.length, 1)
      assert.match(inside.text, /all of it/)
    },
  },
  {
    passes: 'every spelling of the address is that address to the server behind it, once it is opened',
    try: async (t) => {
      for (const spelling of ['2130706433', '0x7f000001', '127.1', '１２７.０.０.１']) {
        const inside = await insides()
        await callPost(t, posting(`http://${spelling}:${inside.port}/`), [
          '--allow-host',
          `127.0.0.1:${inside.port}`,
        ])
        assert.equal(inside.received.length, 1, spelling)
      }
    },
  },
  {
    passes: 'a redirect within one origin is followed',
    try: async (t) => {
      const model = await models()
      model.reset()
      const outside = await listen(t, ({ path }) =>
        path === '/a' ? { status: 302, headers: { location: '/b' } } : { body: 'moved here' },
      )
      const place = stage(t, { agent: { context: [{ type: 'url', value: `${outside.url}/a` }] } })
      await runAgent(place, model, '--allow-host', `127.0.0.1:${outside.port}`)
      assert.match(model.text, /moved here/)
    },
  },
]

export const ssrf: Category = {
  name: 'Reaching inside (SSRF)',
  enforced: 'the endpoint gate, at each URL and each address',
  file: 'test/redteam/ssrf.test.ts',
  attacks: numbered('ssrf', [...spelled, ...redirected, ...placed, ...others]),
  controls,
}
