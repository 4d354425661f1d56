import assert from 'node:assert/strict'
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { JsonObject } from '../../../src/document/json.ts'
import type { Place } from '../../cli/fixture.ts'
import { type Attack, type Category, type Control, numbered } from '../attack.ts'
import { command, definition, stage } from '../world.ts'

const SIGNS_IN: JsonObject = { type: 'bearer', env_var: 'CRM_KEY' }
const POST: JsonObject = {
  name: 'post',
  description: 'Writes to the CRM.',
  protocol: 'http',
  endpoint: 'https://api.crm.example/good',
  auth: SIGNS_IN,
}
const API: JsonObject = {
  name: 'api',
  description: 'The API of the CRM.',
  protocol: 'openapi',
  endpoint: './api.json',
  auth: SIGNS_IN,
}
const OK = { responses: { 200: { description: 'Done.' } } } as const

/** A document with these paths at these servers. */
function api(paths: JsonObject, members: JsonObject = {}): JsonObject {
  return {
    openapi: '3.1.0',
    info: { title: 'CRM', version: '1' },
    servers: [{ url: 'https://api.crm.example' }],
    paths,
    ...members,
  }
}

const READS = api({ '/notes': { get: { operationId: 'notes', ...OK } } })
const HARMLESS = { servers: [{ url: 'https://docs.example' }] } as const

/** The state of the files; `config` is that of the operator. */
interface Files {
  readonly tools: readonly JsonObject[]
  readonly agent?: JsonObject
  readonly api?: JsonObject
  readonly config?: JsonObject
}

function put(place: Place, { tools, agent = {}, api: document, config }: Files): void {
  place.write('agent.json', JSON.stringify(definition({ tools, ...agent })))
  if (document !== undefined) place.write('api.json', JSON.stringify(document))
  if (config !== undefined) place.write('config.json', JSON.stringify(config))
}

async function gates(place: Place, file = 'agent.json', config = false): Promise<Record<string, string>> {
  const more = config ? ['--config', 'config.json'] : []
  const { value, err } = await command(place, ['plan', file, ...more])
  const family = [value, ...((value.agents ?? []) as readonly JsonObject[])]
  const tools = family.flatMap(({ tools }, index) =>
    ((tools ?? []) as readonly { name: string; gate: string }[]).map(({ name, gate }) => [
      index === 0 ? name : `${name} of a sub-agent`,
      gate,
    ]),
  )
  assert.ok(tools.length > 0, err)
  return Object.fromEntries(tools)
}

async function grantTo(place: Place, ...grants: readonly string[]): Promise<void> {
  for (const what of grants) {
    const kind = what.includes('@') ? 'secret' : 'host'
    const given = await command(place, ['grants', 'allow', kind, what, '--agent', 'agent.json'])
    assert.equal(given.code, 0, given.err)
  }
}

const BOTH = ['api.crm.example', 'CRM_KEY@api.crm.example']

/** A definition with a grant of the host and the secret for what it does now. */
async function granted(t: TestContext, files: Files, ...more: readonly string[]): Promise<Place> {
  const place = stage(t, { env: { CRM_KEY: 'crm-key-4711', OTHER_KEY: 'other-key-4711' } })
  put(place, files)
  await grantTo(place, ...BOTH, ...more)
  return place
}

interface Stretch {
  readonly by: string
  readonly before?: Files
  readonly grants?: readonly string[]
  readonly after: Files
  /** The tool that must be denied. */
  readonly denied: string
  /** The tool that stays allowed; absent: none. */
  readonly kept?: string
  readonly config?: true
}

const ONE: Files = { tools: [POST] }
const TWO: Files = { tools: [POST, API], api: READS }
const stretches: readonly Stretch[] = [
  {
    by: 'an OpenAPI tool in place of the granted one',
    after: { tools: [API], api: api({ '/wipe': { delete: { operationId: 'wipe', ...OK } } }) },
    denied: 'api',
  },
  {
    by: 'a document of another server that now names the host',
    before: { tools: [POST, API], api: { ...READS, ...HARMLESS } },
    after: { tools: [POST, API], api: READS },
    denied: 'api',
    kept: 'post',
  },
  {
    by: 'servers of a path of the document',
    before: { tools: [POST, API], api: { ...READS, ...HARMLESS } },
    after: {
      tools: [POST, API],
      api: api(
        { '/notes': { servers: READS.servers as never, get: { operationId: 'notes', ...OK } } },
        HARMLESS,
      ),
    },
    denied: 'api',
    kept: 'post',
  },
  {
    by: 'servers of an operation of the document',
    before: { tools: [POST, API], api: { ...READS, ...HARMLESS } },
    after: {
      tools: [POST, API],
      api: api(
        { '/notes': { get: { operationId: 'notes', servers: READS.servers as never, ...OK } } },
        HARMLESS,
      ),
    },
    denied: 'api',
    kept: 'post',
  },
  {
    by: 'the default of a server variable',
    before: {
      tools: [POST, API],
      api: api(
        { '/notes': { get: { operationId: 'notes', ...OK } } },
        { servers: [{ url: 'https://{host}', variables: { host: { default: 'docs.example' } } }] },
      ),
    },
    after: {
      tools: [POST, API],
      api: api(
        { '/notes': { get: { operationId: 'notes', ...OK } } },
        { servers: [{ url: 'https://{host}', variables: { host: { default: 'api.crm.example' } } }] },
      ),
    },
    denied: 'api',
    kept: 'post',
  },
  {
    by: 'another base path of the server in the document',
    before: TWO,
    after: { tools: [POST, API], api: { ...READS, servers: [{ url: 'https://api.crm.example/admin' }] } },
    denied: 'api',
    kept: 'post',
  },
  {
    by: 'an operation that is added to a granted document',
    before: TWO,
    after: {
      tools: [POST, API],
      api: api({
        '/notes': { get: { operationId: 'notes', ...OK } },
        '/wipe': { delete: { operationId: 'wipe', ...OK } },
      }),
    },
    denied: 'wipe',
    kept: 'post',
  },
  {
    by: 'an operation that changes from GET to POST',
    before: TWO,
    after: { tools: [POST, API], api: api({ '/notes': { post: { operationId: 'notes', ...OK } } }) },
    denied: 'api',
    kept: 'post',
  },
  {
    by: 'an operation whose key moves into the URL',
    before: {
      tools: [POST, { ...API, auth: { type: 'api_key', env_var: 'CRM_KEY' } }],
      api: keyed('header'),
    },
    after: { tools: [POST, { ...API, auth: { type: 'api_key', env_var: 'CRM_KEY' } }], api: keyed('query') },
    denied: 'api',
    kept: 'post',
  },
  {
    by: 'an OpenAPI operation with the URL and the method of an http tool',
    after: { tools: [API], api: api({ '/good': { post: { operationId: 'good', ...OK } } }) },
    denied: 'api',
  },
  {
    by: 'another path',
    after: { tools: [{ ...POST, endpoint: 'https://api.crm.example/wipe' }] },
    denied: 'post',
  },
  {
    by: 'another query',
    after: { tools: [{ ...POST, endpoint: 'https://api.crm.example/good?do=wipe' }] },
    denied: 'post',
  },
  {
    by: 'another port',
    after: { tools: [{ ...POST, endpoint: 'https://api.crm.example:8443/good' }] },
    denied: 'post',
  },
  {
    by: 'another method, set for the name of the tool',
    after: { tools: [POST], config: { tools: { post: { method: 'DELETE' } } } },
    denied: 'post',
    config: true,
  },
  {
    by: 'another header for the same key',
    after: { tools: [{ ...POST, auth: { type: 'api_key', env_var: 'CRM_KEY', header: 'X-Log' } }] },
    denied: 'post',
  },
  {
    by: 'another secret, which is granted to another tool at the host',
    before: {
      tools: [
        POST,
        {
          ...POST,
          name: 'other',
          endpoint: 'https://api.crm.example/other',
          auth: { type: 'bearer', env_var: 'OTHER_KEY' },
        },
      ],
    },
    grants: ['OTHER_KEY@api.crm.example'],
    after: { tools: [{ ...POST, auth: { type: 'bearer', env_var: 'OTHER_KEY' } }] },
    denied: 'post',
  },
  {
    by: 'one more tool at the host, without a credential',
    after: {
      tools: [
        POST,
        { ...POST, name: 'drop', endpoint: 'https://api.crm.example/drop', auth: { type: 'none' } },
      ],
    },
    denied: 'drop',
    kept: 'post',
  },
]

function keyed(place: 'header' | 'query'): JsonObject {
  return api(
    { '/notes': { get: { operationId: 'notes', security: [{ key: [] }], ...OK } } },
    { components: { securitySchemes: { key: { type: 'apiKey', in: place, name: 'key' } } } },
  )
}

const attacks: readonly Omit<Attack, 'id'>[] = [
  ...stretches.map(
    ({ by, before = ONE, grants = [], after, denied, kept, config }): Omit<Attack, 'id'> => ({
      attack: 'reaches a granted host with a call that the grant was not given for',
      by,
      holds: 'the call is denied',
      try: async (t) => {
        const place = await granted(t, before, ...grants)
        const were = await gates(place)
        for (const tool of before.tools)
          if (!JSON.stringify(before.api ?? {}).includes('docs.example') || tool !== before.tools[1])
            assert.equal(were[String(tool.name)], 'allow', `${tool.name} before`)
        put(place, after)
        const are = await gates(place, 'agent.json', config)
        assert.equal(are[denied], 'deny')
        if (kept !== undefined) assert.equal(are[kept], 'allow')
      },
    }),
  ),
  {
    attack: 'uses the grant of an agent that it embeds',
    by: 'a definition with the granted one as its sub-agent, and the same tool itself',
    holds: 'both calls are denied',
    try: async (t) => {
      const place = await granted(t, ONE)
      const orchestration = { subagents: [{ ref: './agent.json', alias: 'crm' }], pipeline: ['crm'] }
      const root = definition(
        { tools: [POST], orchestration },
        { agent_id: '11111111-92a4-4f8a-9d57-3c1f6e2b8a10' },
      )
      place.write('root.json', JSON.stringify(root))
      const are = await gates(place, 'root.json')
      assert.deepEqual([are.post, are['post of a sub-agent']], ['deny', 'deny'])
    },
  },
  {
    attack: 'uses the grant of the agent that embeds it',
    by: 'a sub-agent with the same tool',
    holds: 'the call of the sub-agent is denied',
    try: async (t) => {
      const place = await granted(t, ONE)
      const sub = definition({ tools: [POST] }, { agent_id: '22222222-92a4-4f8a-9d57-3c1f6e2b8a10' })
      place.write('sub.json', JSON.stringify(sub))
      put(place, {
        ...ONE,
        agent: { orchestration: { subagents: [{ ref: './sub.json', alias: 'crm' }], pipeline: ['crm'] } },
      })
      const are = await gates(place)
      assert.deepEqual([are.post, are['post of a sub-agent']], ['allow', 'deny'])
    },
  },
  {
    attack: 'has a text of its prompt fetched from a granted host',
    by: 'a context of type url that is added later',
    holds: 'the text is not fetched, and the tool keeps its grant',
    try: async (t) => {
      const place = await granted(t, ONE)
      put(place, { ...ONE, agent: { context: [{ type: 'url', value: 'https://api.crm.example/?of=us' }] } })
      const { value } = await command(place, ['plan', 'agent.json'])
      assert.match(JSON.stringify(value), /api\.crm\.example:443 is not an allowed host/)
      assert.equal((await gates(place)).post, 'allow')
    },
  },
  {
    attack: 'sends the prompt to a granted host',
    by: 'the base URL of its model',
    holds: 'the route may not be used',
    try: async (t) => {
      const place = await granted(t, ONE)
      const model = {
        provider: 'custom',
        provider_id: 'custom',
        preferred: 'x',
        base_url: 'https://api.crm.example/v1',
      }
      put(place, { ...ONE, agent: { model } })
      const { value } = await command(place, ['plan', 'agent.json'])
      assert.match(JSON.stringify(value.models), /is not an allowed host/)
    },
  },
]

const controls: readonly Control[] = [
  {
    passes: 'the granted operations of a document, after a grant that was given before they were allowed',
    try: async (t) => {
      const place = await granted(t, TWO)
      assert.deepEqual(await gates(place), { post: 'allow', api: 'allow' })
    },
  },
  {
    passes: 'the same call under another name, with another description',
    try: async (t) => {
      const place = await granted(t, ONE)
      put(place, { tools: [{ ...POST, name: 'write', description: 'Another.' }] })
      assert.deepEqual(await gates(place), { write: 'allow' })
      renameSync(join(place.folder, 'agent.json'), join(place.folder, 'moved.json'))
      assert.deepEqual(await gates(place, 'moved.json'), { write: 'deny' })
    },
  },
]

export const grantUses: Category = {
  name: 'Stretching grants of hosts and secrets',
  enforced: 'the fingerprint of each planned call, compared with those of the grant',
  file: 'test/redteam/grant-uses.test.ts',
  attacks: numbered('grant-use', attacks),
  controls,
}
