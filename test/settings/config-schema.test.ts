import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readConfig } from '../../src/settings/read-config.ts'
import { errorOf, folderOf } from './config-file.ts'

/** Values of `config.yaml` that its guide allows, and values that it rules out. */
const values: readonly (readonly [string, readonly string[], readonly string[]])[] = [
  ['allow_hosts', ['[]', '[a.example]'], ['a.example', '[""]', '[1]']],
  [
    'signatures',
    ['{}', ...policies('{ default: %s }'), ...policies('{ sources: { /srv: %s } }')],
    ['{ default: maybe }', '{ sources: { /srv: maybe } }', '{ defaults: require }'],
  ],
  ['residency', ['{ mistral: [EU, US] }'], ['{ mistral: EU }', '[EU]']],
  ['judge', ['openai/gpt-4o', 'openrouter/a/b'], ['openai', 'openai/', '/gpt-4o', '1']],
  [
    'providers',
    ['{ openai: {} }', '{ openai: { base_urls: ["https://a.example"] } }'],
    ['{ openai: { base_url: "https://a.example" } }', '{ openai: 1 }'],
  ],
  [
    'models',
    [
      '{ a/b: {} }',
      '{ a/b: { input_usd_per_mtok: 0, output_usd_per_mtok: 0 } }',
      '{ a/b: { context_window: 1 } }',
    ],
    [
      '{ b: {} }',
      '{ a/b: { input_usd_per_mtok: 1 } }',
      '{ a/b: { output_usd_per_mtok: 1 } }',
      '{ a/b: { input_usd_per_mtok: -1, output_usd_per_mtok: 1 } }',
      '{ a/b: { input_usd_per_mtok: 1, output_usd_per_mtok: -1 } }',
      '{ a/b: { context_window: 0 } }',
      '{ a/b: { context_window: 1.5 } }',
    ],
  ],
  ['quality', ['{ "*mini*": 1400 }', '{ a: -1 }'], ['{ a: high }']],
  [
    'secrets',
    ['[]', '[{ name: A, host: a.example }]'],
    [
      '[{ name: A }]',
      '[{ host: a.example }]',
      '[{ name: "", host: a }]',
      '[{ name: A, host: "" }]',
      '[{ name: A, host: a, port: 1 }]',
    ],
  ],
  [
    'tools',
    [
      ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => `{ find: { method: ${method} } }`),
      '{ find: { read_only: true, idempotent: false } }',
    ],
    [
      '{ find: { method: get } }',
      '{ find: { method: TRACE } }',
      '{ find: { read_only: "yes" } }',
      '{ find: { idempotent: 1 } }',
    ],
  ],
  [
    'functions',
    [
      '{ crm: { module: crm.mjs, organisations: all } }',
      '{ a-b_1: { module: crm.mjs, organisations: [], env: [CRM_KEY], read: [/a], write: [/b], unrestricted: true, memory_mb: 32 } }',
    ],
    [
      '{ crm: { module: crm.mjs } }',
      '{ crm: { organisations: all } }',
      '{ crm: { module: "", organisations: all } }',
      '{ crm: { module: crm.mjs, organisations: everyone } }',
      '{ crm: { module: crm.mjs, organisations: [""] } }',
      '{ CRM: { module: crm.mjs, organisations: all } }',
      '{ crm: { module: crm.mjs, organisations: all, env: ["A=1"] } }',
      '{ crm: { module: crm.mjs, organisations: all, read: [""] } }',
      '{ crm: { module: crm.mjs, organisations: all, write: /b } }',
      '{ crm: { module: crm.mjs, organisations: all, unrestricted: 1 } }',
      '{ crm: { module: crm.mjs, organisations: all, memory_mb: 31 } }',
      '{ crm: { module: crm.mjs, organisations: all, secrets: [A] } }',
    ],
  ],
  [
    'mcp_servers',
    [
      '{ a: { command: serve } }',
      '{ a: { command: serve, args: [""], env: [_A1], cwd: /srv, trusted: true } }',
      ...['http', 'https', 'ws', 'wss'].map(
        (scheme) => `{ a: { url: "${scheme}://a.example", trusted: false } }`,
      ),
      ...['http', 'sse', 'ws'].map(
        (transport) => `{ a: { url: "https://a.example", transport: ${transport} } }`,
      ),
    ],
    [
      '{ a: {} }',
      '{ a: { trusted: true } }',
      '{ a: { command: serve, url: "https://a.example" } }',
      '{ a: { command: serve, transport: http } }',
      '{ a: { url: "https://a.example", args: [] } }',
      '{ a: { url: "https://a.example", env: [] } }',
      '{ a: { url: "https://a.example", cwd: /srv } }',
      '{ a: { command: serve, env: [1A] } }',
      '{ a: { command: serve, env: ["A=1"] } }',
      '{ a: { command: serve, shell: true } }',
      '{ a: { url: "file:///srv" } }',
      '{ a: { url: "https://a.example", transport: stdio } }',
    ],
  ],
  [
    'budget',
    ['{}', '{ tokens: 1, usd: 0.01, calls: 1, seconds: 0.5 }'],
    [
      '{ tokens: 0 }',
      '{ tokens: 1.5 }',
      '{ usd: 0 }',
      '{ calls: 0 }',
      '{ calls: 1.5 }',
      '{ seconds: 0 }',
      '{ minutes: 1 }',
    ],
  ],
  [
    'telemetry',
    [
      '{ otlp_endpoint: "http://localhost:4318", protocol: grpc }',
      '{ protocol: http/protobuf, headers: { a: TOKEN } }',
    ],
    [
      '{ endpoint: "http://localhost:4318" }',
      '{ otlp_endpoint: "localhost:4318" }',
      '{ otlp_endpoint: "https:///v1" }',
      '{ protocol: http/json }',
      '{ headers: { a: "" } }',
    ],
  ],
  [
    'pii',
    [
      '{ names: true, private_ips: false, regions: [DE, US], key_env: KEY }',
      '{ patterns: [{ name: order-no_1, regex: "[0-9]+" }] }',
    ],
    [
      '{ name: true }',
      '{ names: 1 }',
      '{ private_ips: 1 }',
      '{ regions: [de] }',
      '{ regions: [DEU] }',
      '{ key_env: "" }',
      '{ patterns: [{ name: a }] }',
      '{ patterns: [{ regex: a }] }',
      '{ patterns: [{ name: A, regex: a }] }',
      '{ patterns: [{ name: a, regex: "" }] }',
    ],
  ],
]

function policies(form: string): readonly string[] {
  return ['require', 'prefer', 'ignore'].map((policy) => form.replace('%s', policy))
}

describe('members of config.yaml', () => {
  for (const [member, right, wrong] of values) {
    test(`${member} takes the values of its guide`, (t) => {
      const { write } = folderOf(t)
      for (const value of right) {
        const path = write('config.yaml', `${member}: ${value}\n`)
        assert.deepEqual(Object.keys(readConfig(undefined, path)), [member], value)
      }
    })
    test(`${member} refuses other values, at their place`, (t) => {
      const { write } = folderOf(t)
      for (const value of wrong) {
        const path = write('config.yaml', `${member}: ${value}\n`)
        const { code, details } = errorOf(() => readConfig(undefined, path))
        assert.equal(code, 'CONFIG_INVALID', value)
        assert.ok(
          details.at === `/${member}` || details.at?.startsWith(`/${member}/`),
          `${value}: ${details.at}`,
        )
      }
    })
  }
})
