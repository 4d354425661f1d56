import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fixedTokens } from '../../src/plan/fixed-tokens.ts'
import { hostManifest } from '../../src/plan/host-manifest.ts'
import type { ExtensionFacts, HostFacts, McpServers } from '../../src/plan/operator-settings.ts'
import type { Gate, Plan, PlannedMemory, PlannedModel, PlannedTool } from '../../src/plan/plan.ts'
import { planExtensions, providerWord } from '../../src/plan/plan-extensions.ts'
import { serverSecrets } from '../../src/plan/server-secrets.ts'
import { planOf } from '../run/fixture.ts'
import { withSecrets } from './with-secrets.ts'

const EXTENSIONS: ExtensionFacts = {
  protocols: { sql: { extension: 'db', reach: 'host' }, soap: { extension: 'old', reach: 'host' } },
  providers: { own: { extension: 'db' }, lab: { extension: 'lab' } },
  backends: { json_file: { extension: 'db' } },
}
const HOST: HostFacts = { ...withSecrets(), priceOf: () => undefined, extensions: EXTENSIONS }
const tool = (protocol: string, gate: Gate = 'allow', more: Partial<PlannedTool> = {}): PlannedTool => ({
  name: 't',
  description: '',
  protocol,
  effect: 'read',
  idempotent: true,
  gate,
  ...more,
})
const model = (provider: string, eligible = true, provider_id?: string): PlannedModel => ({
  provider,
  model: 'm',
  eligible,
  ...(provider_id !== undefined && { provider_id }),
})
const memory = (kept_in: string, gate: 'allow' | 'deny' = 'allow') => ({ kept_in, gate }) as PlannedMemory

describe('the extensions that a plan needs', () => {
  test('each extension is listed once, with its parts that are used', () => {
    assert.deepEqual(
      planExtensions(
        [tool('sql'), tool('sql', 'ask'), tool('http')],
        [model('custom', true, 'own'), model('openai'), model('lab')],
        [memory('json_file'), memory('sqlite')],
        HOST,
        false,
      ),
      {
        extensions: [
          { name: 'db', uses: ['tool sql', 'model own', 'memory json_file'] },
          { name: 'lab', uses: ['model lab'] },
        ],
      },
    )
  })

  test('denied tools, routes that are not eligible and rehearsals need no extension', () => {
    const denied = [tool('sql', 'deny'), tool('constructor')]
    const kept = [memory('json_file', 'deny')]
    assert.deepEqual(planExtensions(denied, [model('lab', false)], kept, HOST, false), {})
    assert.deepEqual(planExtensions([tool('sql')], [model('lab')], [memory('json_file')], HOST, true), {})
    const { extensions: _, ...bare } = HOST
    assert.deepEqual(planExtensions([tool('sql')], [model('lab')], [memory('json_file')], bare, false), {})
  })

  test('a custom provider is known by its provider_id, and by "custom" without one', () => {
    assert.equal(providerWord(model('openai', true, 'x')), 'openai')
    assert.equal(providerWord(model('custom', true, 'x')), 'x')
    assert.equal(providerWord(model('custom')), 'custom')
  })
})

describe('secrets of tool processes', () => {
  const SERVERS: McpServers = {
    desk: { command: 'desk', env: ['HOME', 'DESK_TOKEN'] },
    bare: { command: 'bare' },
    far: { url: 'https://far.example' },
  }
  const of = (server: unknown, gate: Gate = 'allow', protocol = 'mcp') =>
    serverSecrets([tool(protocol, gate, { binding: { server } as never })], SERVERS)

  test('only names that may hold a secret are listed, for processes that the configuration declares', () => {
    assert.deepEqual(of('desk'), ['DESK_TOKEN'])
    assert.deepEqual(of('desk', 'ask'), ['DESK_TOKEN'])
    assert.deepEqual(of('desk', 'deny'), [])
    assert.deepEqual(of('desk', 'allow', 'http'), [])
    for (const other of ['bare', 'far', 'gone', 'constructor', 7, undefined]) assert.deepEqual(of(other), [])
    assert.deepEqual(serverSecrets([tool('mcp')], SERVERS), [])
    assert.deepEqual(serverSecrets([tool('mcp', 'allow', { binding: { server: 'desk' } })]), [])
  })
})

describe('the tokens of each model request', () => {
  test('the tokens grow with the prompt and with each tool that is not denied', () => {
    const plan = planOf()
    const tokens = (system_prompt: string, tools: readonly PlannedTool[]) =>
      fixedTokens({ ...plan, system_prompt, tools } as Plan)()
    const alone = tokens('Answer.', [])
    assert.ok(alone > 0)
    assert.ok(tokens('Answer at once and in full.', []) > alone)
    const one = tokens('Answer.', [tool('http')])
    assert.ok(one > alone)
    assert.equal(tokens('Answer.', [tool('http', 'deny')]), alone)
    assert.equal(tokens('Answer.', [tool('http'), tool('http', 'ask')]) - one, one - alone)
  })

  test('the tokens are estimated once', () => {
    let read = 0
    const plan = {
      ...planOf(),
      get system_prompt() {
        read += 1
        return 'Answer.'
      },
    }
    const tokens = fixedTokens(plan)
    assert.equal(read, 0)
    assert.equal(tokens(), tokens())
    assert.equal(read, 1)
  })
})

describe('the manifest of this host', () => {
  const of = (regions: readonly string[] = [], extensions?: ExtensionFacts) =>
    hostManifest('1.2.3', '2026-01-01T00:00:00Z', {
      regions,
      ...(extensions !== undefined && { extensions }),
    })

  test('it advertises exactly what a plan counts on', () => {
    const { platform } = of()
    assert.deepEqual([platform.name, platform.version], ['Waybill', '1.2.3'])
    assert.deepEqual(platform.capabilities, {
      tool: { function: true, mcp: true, http: true, openapi: true, parallel_calls: true },
      memory: {
        in_memory: true,
        redis: false,
        postgres: false,
        qdrant: false,
        pinecone: false,
        vector: false,
      },
      model: {
        providers: platform.capabilities?.model?.providers,
        fallback: true,
        streaming: true,
        function_calling: true,
        structured_output: true,
      },
      orchestration: {
        pipeline: true,
        parallel: true,
        handoff: true,
        consensus: true,
        dynamic_routing: true,
        condition_languages: ['jsonpath', 'jmespath', 'cel', 'jsonlogic', 'always', 'never'],
      },
      auth: { bearer: true, api_key: true, vault: { supported: false } },
      state: { checkpoint: true, live_migration: true, streaming_handoff: true },
      compliance: { human_in_the_loop: true, audit_log: true, pii_scrubbing: true },
      telemetry: { otel_traces: true, otel_metrics: true, otlp_export: true },
    })
    const providers = platform.capabilities?.model?.providers ?? []
    assert.ok(providers.includes('openai') && providers.includes('custom'))
    assert.ok(!providers.includes('rehearsal'))
  })

  test('capabilities without a key of the manifest are in an extension of our own', () => {
    const own = (of() as unknown as Record<string, unknown>)['x-waybill-capabilities']
    assert.deepEqual(own, [
      'io.streaming',
      'io.async',
      'io.batch',
      'compliance.hitl',
      'compliance.audit_log',
      'telemetry.otel',
      'condition.structured',
      'memory.sqlite',
    ])
  })

  test('regions and extensions are added to it', () => {
    const manifest = of(['EU'], EXTENSIONS)
    const { compliance, model } = manifest.platform.capabilities ?? {}
    assert.deepEqual(compliance?.data_residency_regions, ['EU'])
    assert.deepEqual(model?.providers?.slice(-2), ['own', 'lab'])
    const own = (manifest as unknown as Record<string, readonly string[]>)['x-waybill-capabilities']
    assert.deepEqual(own?.slice(-3), ['tool.sql', 'tool.soap', 'memory.json_file'])
    const redis = { ...EXTENSIONS, backends: { redis: { extension: 'r' } } }
    assert.equal(of([], redis).platform.capabilities?.memory?.redis, true)
  })
})
