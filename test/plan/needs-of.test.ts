import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '../../src/document/json.ts'
import { type Need, needsOf } from '../../src/plan/negotiation/needs-of.ts'
import type { AgentDefinition } from '../../src/spec/aaif/generated/agent.ts'
import type { PlatformManifest } from '../../src/spec/aaif/generated/manifest.ts'

const needs = (members: JsonObject, capabilities?: JsonObject, platform: JsonObject = {}) =>
  needsOf(
    {
      sc_standard: 'SC-006',
      agent: { name: 'Clerk', goal: 'File.', ...members },
    } as unknown as AgentDefinition,
    {
      sc_standard: 'SC-006',
      platform: { name: 'p', version: '1', ...(capabilities !== undefined && { capabilities }), ...platform },
    } as unknown as PlatformManifest,
    new Set(),
  )

/** Pointer below `/agent`, need, whether it is met, and weight. */
type Row = readonly [pointer: string, need: string, met: boolean, weight: Need['weight']]
const rows = (found: readonly Need[]): readonly Row[] =>
  found.map(({ pointer, need, met, weight }) => [pointer.replace(/^\/agent/, ''), need, met, weight])

const A = { ref: 'a' }
const CASES: readonly (readonly [
  what: string,
  agent: JsonObject,
  capabilities: JsonObject | undefined,
  expected: readonly Row[],
])[] = [
  ['no members', {}, undefined, []],
  [
    'a required capability',
    { required_capabilities: ['tool.mcp'] },
    { tool: { mcp: true } },
    [['/required_capabilities/0', 'tool.mcp', true, 'capability']],
  ],
  [
    'a required capability that is used as well',
    { required_capabilities: ['tool.mcp'], tools: [{ protocol: 'mcp' }] },
    undefined,
    [['/required_capabilities/0', 'tool.mcp', false, 'capability']],
  ],
  ['a tool without a protocol', { tools: [{}] }, undefined, []],
  [
    'two tools of one protocol',
    { tools: [{ protocol: 'mcp' }, { protocol: 'mcp' }, { protocol: 'http' }] },
    { tool: { http: true } },
    [
      ['/tools/0/protocol', 'tool.mcp', false, 'capability'],
      ['/tools/2/protocol', 'tool.http', true, 'capability'],
    ],
  ],
  ['auth none', { tools: [{ auth: { type: 'none' } }, { auth: {} }] }, { auth: {} }, []],
  [
    'auth that the manifest has',
    { tools: [{ auth: { type: 'bearer' } }] },
    { auth: { bearer: true } },
    [['/tools/0/auth/type', 'auth bearer', true, 'advice']],
  ],
  [
    'auth that the manifest says nothing of',
    { tools: [{ auth: { type: 'bearer' } }] },
    {},
    [['/tools/0/auth/type', 'auth bearer', false, 'advice']],
  ],
  [
    'auth of a manifest without capabilities',
    { tools: [{ auth: { type: 'basic' } }] },
    undefined,
    [['/tools/0/auth/type', 'auth basic', false, 'advice']],
  ],
  [
    'a vault',
    { tools: [{ auth: { vault_ref: { provider: 'aws_secretsmanager' } } }] },
    { auth: { vault: { providers: ['aws_secrets_manager'] } } },
    [['/tools/0/auth/vault_ref/provider', 'vault aws_secretsmanager', true, 'capability']],
  ],
  ['memory without a backend', { memory: [{ scope: 'task' }] }, undefined, []],
  [
    'memory with a backend',
    { memory: [{ backend: 'redis' }, { backend: 'qdrant' }] },
    { memory: { pinecone: true } },
    [
      ['/memory/0/backend', 'memory backend redis', false, 'capability'],
      ['/memory/1/backend', 'memory backend qdrant', true, 'capability'],
    ],
  ],
  ['an empty orchestration', { orchestration: { pipeline: [], handoff: [], consensus: {} } }, undefined, []],
  [
    'every pattern',
    {
      orchestration: {
        pipeline: ['a'],
        parallel_execution: true,
        handoff: [{ condition: 'words' }],
        consensus: { strategy: 'referee' },
      },
    },
    { orchestration: { pipeline: true, handoff: true } },
    [
      ['/orchestration/pipeline', 'orchestration.pipeline', true, 'capability'],
      ['/orchestration/parallel_execution', 'orchestration.parallel', false, 'capability'],
      ['/orchestration/handoff', 'orchestration.handoff', true, 'capability'],
      ['/orchestration/consensus', 'orchestration.consensus', false, 'capability'],
    ],
  ],
  ['parallel_execution false', { orchestration: { parallel_execution: false } }, undefined, []],
  [
    'as many subagents as there may be',
    { orchestration: { subagents: [A, A] } },
    { orchestration: { max_subagents: 2 } },
    [['/orchestration/subagents', '2 subagents', true, 'capability']],
  ],
  [
    'one subagent too many',
    { orchestration: { subagents: [A, A] } },
    { orchestration: { max_subagents: 1 } },
    [['/orchestration/subagents', '2 subagents', false, 'capability']],
  ],
  ['no subagents', { orchestration: {} }, { orchestration: { max_subagents: 0 } }, []],
  ['subagents without a limit', { orchestration: { subagents: [A] } }, { orchestration: {} }, []],
  ['residency global', { compliance: { data_residency: 'global' } }, undefined, []],
  [
    'a residency',
    { compliance: { data_residency: 'EU' } },
    { compliance: { data_residency_regions: ['EU'] } },
    [['/compliance/data_residency', 'data residency EU', true, 'binding']],
  ],
  [
    'approval, also when its capability is required by name',
    { required_capabilities: ['compliance.hitl'], compliance: { human_in_the_loop: { enabled: true } } },
    { compliance: { human_in_the_loop: true } },
    [
      ['/required_capabilities/0', 'compliance.hitl', true, 'capability'],
      ['/compliance/human_in_the_loop', 'compliance.hitl', true, 'binding'],
    ],
  ],
  ['approval that is off', { compliance: { human_in_the_loop: { enabled: false } } }, undefined, []],
  [
    'an audit log',
    { compliance: { audit_log: true } },
    undefined,
    [['/compliance/audit_log', 'compliance.audit_log', false, 'binding']],
  ],
  ['no audit log', { compliance: { audit_log: false } }, undefined, []],
  ['personal data: none', { compliance: { pii_handling: 'none' } }, undefined, []],
  ['personal data: detect', { compliance: { pii_handling: 'detect' } }, undefined, []],
  [
    'personal data: reject',
    { compliance: { pii_handling: 'reject' } },
    { compliance: { pii_scrubbing: true } },
    [['/compliance/pii_handling', 'personal data: reject', true, 'advice']],
  ],
  [
    'personal data, of which the manifest says nothing',
    { compliance: { pii_handling: 'encrypt' } },
    undefined,
    [['/compliance/pii_handling', 'personal data: encrypt', false, 'advice']],
  ],
  ['a model, when the manifest names no providers', { model: { provider: 'openai' } }, { model: {} }, []],
  ['a model, when the manifest has no capabilities', { model: { provider: 'openai' } }, undefined, []],
  ['no model, when the manifest names providers', { model: {} }, { model: { providers: ['openai'] } }, []],
  [
    'a model of a provider, or of a fallback',
    { model: { provider: 'openai', fallbacks: [{ provider: 'anthropic' }, { provider: 'openai' }] } },
    { model: { providers: ['anthropic', 'mistral'] } },
    [['/model', 'a model of openai or anthropic', true, 'capability']],
  ],
  [
    'a model of a provider that is not offered',
    { model: { fallbacks: [{ provider: 'anthropic' }] } },
    { model: { providers: [] } },
    [['/model', 'a model of anthropic', false, 'capability']],
  ],
  [
    'structured output',
    { model: { response_format: 'json_schema' } },
    { model: { structured_output: true } },
    [['/model/response_format', 'structured output', true, 'advice']],
  ],
  [
    'structured output, of which the manifest says nothing',
    { model: { response_format: 'json_schema' } },
    undefined,
    [['/model/response_format', 'structured output', false, 'advice']],
  ],
  ['another format', { model: { response_format: 'json' } }, undefined, []],
]

describe('AAIF §7 what a definition needs', () => {
  for (const [what, agent, capabilities, expected] of CASES) {
    test(what, () => {
      assert.deepEqual(rows(needs(agent, capabilities)), expected)
    })
  }

  test('AAIF-5-15: a language is needed for each condition but always, never and plain words', () => {
    const agent = {
      orchestration: {
        subagents: ['cel', 'rego', 'always', 'never'].map((lang) => ({ ref: lang, when: { lang } })),
      },
    }
    const found = needs(agent, { orchestration: { condition_languages: ['cel'] } })
    assert.deepEqual(
      found.map(({ need, met, how }) => [need, met, how]),
      [
        ['condition language cel', true],
        ['condition language rego', false],
        ['condition language always', true],
        ['condition language never', true],
      ].map((row) => [...row, 'orchestration.condition_languages contains cel']),
    )
    assert.deepEqual(
      needs(agent)
        .slice(0, 1)
        .map(({ met, how }) => [met, how]),
      [[false, 'orchestration.condition_languages contains no language']],
    )
    const words = { orchestration: { subagents: [{ ref: 'a', when: 'when it is hard' }] } }
    assert.deepEqual(needs(words), [])
  })

  test('AAIF-7-12: one supported version of the same major is enough', () => {
    const of = (...versions: string[]) => rows(needs({}, {}, { aaif_versions_supported: versions }))
    assert.deepEqual(of('2.0.0', '3.9.9'), [['/sc_version', 'AAIF 3.4.0', true, 'advice']])
    assert.deepEqual(of('2.0.0', '4.0.0'), [['/sc_version', 'AAIF 3.4.0', false, 'advice']])
  })

  test('advice says what the manifest says', () => {
    const agent = { model: { response_format: 'json_schema' } }
    for (const [value, how] of [
      [undefined, 'the manifest does not say'],
      [false, 'the manifest says false'],
      [true, 'the manifest says true'],
    ] as const) {
      const model = value === undefined ? {} : { structured_output: value }
      assert.deepEqual(
        needs(agent, { model }).map((need) => need.how),
        [how],
      )
    }
  })

  test('the offered providers are listed', () => {
    const agent = { model: { provider: 'openai' } }
    const how = (providers: readonly string[]) => needs(agent, { model: { providers } })[0]?.how
    assert.equal(how(['a', 'b']), 'model.providers contains a, b')
    assert.equal(how([]), 'model.providers contains no provider')
  })
})
