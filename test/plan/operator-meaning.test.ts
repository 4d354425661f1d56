import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '../../src/document/json.ts'
import { CONFIG_MEMBERS } from '../../src/plan/operator-meaning.ts'
import type { OperatorSettings } from '../../src/plan/operator-settings.ts'
import type { Plan } from '../../src/plan/plan.ts'
import { planMeaning } from '../../src/plan/plan-meaning.ts'
import { type Config, configSchema } from '../../src/settings/config-schema.ts'
import { operatorSettingsOf } from '../../src/settings/operator-settings-of.ts'
import { planOf } from '../run/fixture.ts'

/** A configuration with every member of the schema, so that each of them can be changed or removed. */
const CONFIG = {
  allow_hosts: ['a.example'],
  private_hosts: ['b.example'],
  organisations: {
    o: {
      allow_hosts: ['c.example'],
      private_hosts: ['d.example'],
      retention: { runs_days: 1, memory_days: 2 },
    },
  },
  retention: { runs_days: 3, memory_days: 4 },
  ca_files: ['/ca/one.pem'],
  database: { failover: 'lossless' },
  enrol_machines: false,
  states: { plaintext: 'never', kept_minutes: 30 },
  signatures: { default: 'prefer', sources: { '/x': 'require' }, uploaders: { ann: 'require' } },
  extensions: ['/ext/one.mjs', '/ext/two.mjs'],
  schemas: { 'https://s.example/a.json': '/s/a.json' },
  residency: { openai: ['eu'] },
  judge: 'openai/judge',
  providers: { openai: { base_urls: ['https://p.example'] } },
  models: { 'openai/gpt-4o': { input_usd_per_mtok: 1, output_usd_per_mtok: 2, context_window: 1000 } },
  quality: { 'gpt-*': 1 },
  secrets: [{ name: 'KEY', host: 'a.example' }],
  environment_secrets: { KEY: ['o'] },
  functions: {
    f: {
      module: '/f.mjs',
      organisations: ['o'],
      env: ['E'],
      read: ['/r'],
      write: ['/w'],
      unrestricted: true,
      memory_mb: 64,
    },
  },
  tools: { look: { method: 'GET', read_only: false, idempotent: false } },
  oidc: [],
  mcp_servers: {
    crm: { command: 'crm', args: ['--x'], env: ['E'], cwd: '/crm', trusted: true, start_timeout_seconds: 5 },
    web: { url: 'https://w.example', transport: 'sse', trusted: true },
  },
  budget: { tokens: 10, usd: 1, calls: 5, seconds: 9 },
  mail: { host: 'm.example', port: 25, from: 'a@m.example' },
  telemetry: { otlp_endpoint: 'https://t.example', protocol: 'grpc', headers: { authorization: 'KEY' } },
  pii: {
    names: true,
    private_ips: true,
    regions: ['DE'],
    patterns: [{ name: 'x', regex: 'x' }],
    key_env: 'PII',
  },
} as unknown as Config

/** An agent with an http tool whose method the operator sets, and a constraint that a judge checks. */
const AGENT: JsonObject = {
  tools: [{ name: 'look', description: 'Looks.', protocol: 'http', endpoint: 'https://a.example/look' }],
  constraints: ['Be kind to everybody.'],
}

/** The meaning that a run with this configuration has, as the command line makes it. */
function meaningOf(config: Config, digest = 'digest'): string {
  const given = operatorSettingsOf({}, config, {})
  const schemas = Object.fromEntries(
    Object.keys(config.schemas ?? {}).map((url) => [url, { title: config.schemas?.[url] ?? '' }]),
  )
  const settings: OperatorSettings = { ...given, schemas }
  const plan = planOf(AGENT, settings)
  const used = ['crm', 'web'].map((server) => ({
    ...plan.tools[0],
    name: server,
    protocol: 'mcp',
    binding: { server, tool: 'x' },
  }))
  const tools = [...plan.tools, ...used] as Plan['tools']
  return JSON.stringify(
    planMeaning({
      family: [{ ...plan, tools }],
      settings,
      config: config as unknown as JsonObject,
      functions: {},
      hooks: [],
      standing: [],
      folder: undefined,
      digestOf: (file) => `${digest} of ${file.length}`,
    }),
  )
}

/** Members of the configuration below the first level that are not compared, each with its reason. */
const HARMLESS_BELOW: Readonly<Record<string, string>> = {
  'mcp_servers.crm.start_timeout_seconds': 'how long a start may take does not change what is started',
}

interface Leaf {
  readonly path: readonly string[]
  readonly value: unknown
}

/** All values of the sample that are not objects; a list is one value. */
function leavesOf(value: unknown, path: readonly string[] = []): readonly Leaf[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [{ path, value }]
  return Object.entries(value).flatMap(([member, below]) => leavesOf(below, [...path, member]))
}

function changed({ path, value }: Leaf): Config {
  const config = structuredClone(CONFIG) as unknown as Record<string, unknown>
  let at = config
  for (const member of path.slice(0, -1)) at = at[member] as Record<string, unknown>
  at[path.at(-1) ?? ''] = otherValue(path, value)
  return config as unknown as Config
}

function otherValue(path: readonly string[], value: unknown): unknown {
  const [first = '', ...rest] = path
  if (first === 'oidc') return [{ issuer: 'https://i.example' }]
  if (typeof value === 'boolean') return !value
  if (typeof value === 'number') return value + 1
  if (Array.isArray(value)) return value.toReversed().slice(value.length > 1 ? 0 : 1)
  if (first === 'judge') return 'openai/other'
  if (rest.at(-1) === 'protocol') return 'http/protobuf'
  if (rest.at(-1) === 'transport') return 'http'
  if (rest.at(-1) === 'method') return 'POST'
  if (first === 'signatures') return 'ignore'
  return `${value}x`
}

/** Names the members of a schema, those of the items of tables and lists included. */
function membersOf(schema: JsonObject): readonly string[] {
  const { properties = {}, additionalProperties } = schema as {
    properties?: Record<string, JsonObject>
    additionalProperties?: JsonObject | false
  }
  return [
    ...Object.entries(properties).flatMap(([name, below]) => [name, ...membersOf(below)]),
    ...(typeof additionalProperties === 'object' ? membersOf(additionalProperties) : []),
  ]
}

describe('what the operator decides is in the meaning of a plan', () => {
  const { carried, harmless } = CONFIG_MEMBERS
  const members = Object.keys((configSchema as { properties: object }).properties)

  test('the sample has every member of the schema of the configuration', () => {
    assert.deepEqual(Object.keys(CONFIG).sort(), [...members].sort())
    const names = new Set(JSON.stringify(CONFIG).match(/(?<=")[a-z_]+(?=":)/g))
    const {
      oidc: _oidc,
      mail: _mail,
      ...compared
    } = (configSchema as { properties: Record<string, JsonObject> }).properties
    for (const name of membersOf({ properties: compared }))
      assert.ok(names.has(name), `the sample has no ${name}`)
  })

  test('the tables name only members of the schema, none of them twice, each harmless one with a reason', () => {
    const named = [...Object.keys(carried), ...Object.keys(harmless)]
    assert.equal(new Set(named).size, named.length)
    for (const name of named) assert.ok(members.includes(name), name)
    for (const reason of Object.values(harmless)) assert.ok(reason.length > 20)
  })

  test('a member that no table names is compared', () => {
    const newer = { ...CONFIG, something_new: { deep: 1 } } as unknown as Config
    assert.notEqual(meaningOf(newer), meaningOf(CONFIG))
  })

  for (const leaf of leavesOf(CONFIG)) {
    const name = leaf.path.join('.')
    const ignored = harmless[leaf.path[0] ?? ''] ?? HARMLESS_BELOW[name]
    test(`a change of ${name} is ${ignored === undefined ? 'a difference' : `none: ${ignored}`}`, () => {
      const before = meaningOf(CONFIG)
      const after = meaningOf(changed(leaf))
      assert.equal(before === after, ignored !== undefined)
    })
  }

  test('a file with another content is a difference, and another path of the same content is not', () => {
    assert.notEqual(meaningOf(CONFIG, 'other'), meaningOf(CONFIG))
    const moved = { ...CONFIG, ca_files: ['/CA/one.pem'] }
    assert.equal(meaningOf(moved), meaningOf(CONFIG))
  })

  test('an empty configuration means the same as none', () => {
    const settings = operatorSettingsOf({}, {}, {})
    const parts = {
      family: [planOf()],
      settings,
      functions: {},
      hooks: [],
      standing: [],
      folder: undefined,
      digestOf: () => '',
    }
    assert.deepEqual(planMeaning({ ...parts, config: {} }), planMeaning(parts))
  })
})
