import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Issue, Severity } from '../../../src/document/issue.ts'
import type { Json, JsonObject } from '../../../src/document/json.ts'
import { agentSchema } from '../../../src/spec/aaif/agent.schema.ts'
import { STANDARD_MEMBERS } from '../../../src/spec/aaif/rules/extensions.ts'
import { validateAgentDefinition } from '../../../src/spec/aaif/validate-agent-definition.ts'
import { copyOf, full, minimal } from './samples.ts'

const agentWith = (members: JsonObject, root: JsonObject = {}): JsonObject => ({
  ...minimal,
  ...root,
  agent: { name: 'a', goal: 'b', ...members },
})

function found(definition: Json): Issue[] {
  const issues = validateAgentDefinition(definition)
  for (const issue of issues) assert.ok(issue.hint && issue.rule, `hint and rule: ${JSON.stringify(issue)}`)
  return issues
}

function finds(
  definition: Json,
  ...expected: [severity: Severity, code: string, pointer: string, rule: string][]
): void {
  const seen = found(definition).map(({ severity, code, pointer, rule }) => [severity, code, pointer, rule])
  assert.deepEqual(seen.sort(), expected.sort())
}

const tool = (members: JsonObject): JsonObject =>
  agentWith({ tools: [{ name: 't', description: 'd', ...members }] })

describe('formats', () => {
  test('SPEC-D-25: a value that does not match its format is a warning, never an error', () => {
    const definition = copyOf(full)
    definition.agent_id = 'a1b2c3d4-0001-4000-8000-invoice000001'
    definition.agent.model.base_url = 'models.example'
    definition.provenance.created_at = 'yesterday'
    definition.provenance.updated_at = '2026-13-01T00:00:00Z'
    finds(
      definition,
      ['warning', 'FORMAT_MISMATCH', '/agent_id', 'SPEC-D-25'],
      ['warning', 'FORMAT_MISMATCH', '/agent/model/base_url', 'SPEC-D-25'],
      ['warning', 'FORMAT_MISMATCH', '/provenance/created_at', 'SPEC-D-25'],
      ['warning', 'FORMAT_MISMATCH', '/provenance/updated_at', 'SPEC-D-25'],
    )
  })
})

describe('Conditions', () => {
  const at = (condition: Json) => agentWith({ orchestration: { subagents: [{ ref: 'r', when: condition }] } })
  const pointer = '/agent/orchestration/subagents/0/when'
  test('AAIF-5-02: each string Condition is flagged with its object form', () => {
    const definition = agentWith({
      orchestration: {
        subagents: [{ ref: 'r', when: 'it rains' }],
        handoff: [{ condition: 'stuck', target_agent: 'r' }],
      },
      events: { triggers: [{ type: 'message', filter: 'is long' }] },
      compliance: { human_in_the_loop: { trigger: 'a "write" call' } },
    })
    const warning = (place: string): [Severity, string, string, string] => [
      'warning',
      'CONDITION_NOT_PORTABLE',
      place,
      'AAIF-5-02',
    ]
    finds(
      definition,
      warning(pointer),
      warning('/agent/orchestration/handoff/0/condition'),
      warning('/agent/events/triggers/0/filter'),
      warning('/agent/compliance/human_in_the_loop/trigger'),
    )
    const hint = found(at('a "write" call'))[0]?.hint ?? ''
    assert.deepEqual(JSON.parse(hint.slice(hint.indexOf('{'), hint.lastIndexOf('}') + 1)), {
      lang: 'cel',
      expr: '…',
      nl: 'a "write" call',
    })
  })
  test('SPEC-V-02: the type of expr follows the language', () => {
    for (const lang of ['jsonpath', 'jmespath', 'cel']) {
      finds(at({ lang, expr: lang === 'jsonpath' ? '$.x' : 'x' }))
      for (const expr of [{}, true])
        finds(at({ lang, expr }), ['error', 'EXPR_TYPE', `${pointer}/expr`, 'SPEC-V-02'])
    }
    finds(at({ lang: 'jsonlogic', expr: { var: 'x' } }))
    for (const expr of ['x', false])
      finds(at({ lang: 'jsonlogic', expr }), ['error', 'EXPR_TYPE', `${pointer}/expr`, 'SPEC-V-02'])
  })
  test('SPEC-V-01: expr is required for four languages, and gives a note for always and never', () => {
    for (const lang of ['jsonpath', 'jmespath', 'cel', 'jsonlogic']) {
      finds(at({ lang }), ['error', 'REQUIRED_MISSING', `${pointer}/expr`, 'SPEC-V-01'])
    }
    for (const lang of ['always', 'never']) {
      finds(at({ lang }))
      finds(at({ lang, expr: 'x' }), ['info', 'EXPR_IGNORED', `${pointer}/expr`, 'SPEC-V-01'])
    }
  })
})

describe('tools', () => {
  test('a second tool with the same name is an error', () => {
    const twice = agentWith({
      tools: [
        { name: 't', description: 'd' },
        { name: 'u', description: 'd' },
        { name: 't', description: 'd' },
      ],
    })
    finds(twice, ['error', 'DUPLICATE_TOOL', '/agent/tools/2/name', 'SPEC-D-14'])
  })
  test('an endpoint without protocol is undetermined', () => {
    finds(tool({ endpoint: 'https://x.example' }), [
      'warning',
      'PROTOCOL_UNDETERMINED',
      '/agent/tools/0/protocol',
      'AAIF-4.4-01',
    ])
    finds(tool({}))
  })
  test('AAIF-4.4-03: an mcp endpoint has one of six schemes; others give a finding', () => {
    const mcp = (endpoint: string) => tool({ protocol: 'mcp', endpoint })
    for (const endpoint of [
      'mcp://files/read',
      'wss://x.example',
      'stdio:server',
      'https://x.example',
      'http://127.0.0.1:8',
      'ws://localhost/',
    ])
      finds(mcp(endpoint))
    for (const endpoint of ['http://x.example', 'ws://x.example']) {
      finds(mcp(endpoint), ['warning', 'ENDPOINT_UNENCRYPTED', '/agent/tools/0/endpoint', 'AAIF-4.4-03'])
    }
    for (const endpoint of ['ftp://x.example', 'files', 'file:///x']) {
      finds(mcp(endpoint), ['warning', 'ENDPOINT_SCHEME', '/agent/tools/0/endpoint', 'AAIF-4.4-03'])
    }
  })
  test('mcp, http and openapi tools without an endpoint are flagged, function tools are not', () => {
    for (const protocol of ['mcp', 'http', 'openapi'])
      finds(tool({ protocol }), ['warning', 'ENDPOINT_MISSING', '/agent/tools/0/endpoint', 'AAIF-6-04'])
    finds(tool({ protocol: 'function' }))
  })
  test('an openapi document may be a local path', () =>
    finds(tool({ protocol: 'openapi', endpoint: './api.yaml' })))
  test('auth that cannot work is flagged', () => {
    const auth = (members: JsonObject) => tool({ auth: members })
    const place = '/agent/tools/0/auth'
    finds(auth({}))
    finds(auth({ type: 'bearer', env_var: 'TOKEN' }))
    finds(auth({ type: 'bearer', vault_ref: { provider: 'custom', path: 'p' } }))
    finds(auth({ type: 'bearer' }), ['warning', 'AUTH_SECRET_UNNAMED', place, 'AAIF-4.4-10'])
    finds(auth({ env_var: 'TOKEN' }), ['warning', 'AUTH_SECRET_UNUSED', place, 'SPEC-D-26'])
    finds(auth({ type: 'api_key', env_var: 'TOKEN' }), [
      'warning',
      'AUTH_HEADER_MISSING',
      `${place}/header`,
      'SPEC-D-26',
    ])
    finds(auth({ type: 'mtls', env_var: 'CERT' }), [
      'warning',
      'AUTH_NOT_PORTABLE',
      `${place}/type`,
      'AAIF-4.4-09',
    ])
  })
  test('schemas in a definition must be valid schemas', () => {
    finds(
      agentWith({
        tools: [
          {
            name: 't',
            description: 'd',
            parameters_schema: { type: 'object', properties: { a: { type: 'objekt' } } },
          },
        ],
        io: { output_schema: { type: 'object', required: 'a' } },
      }),
      ['error', 'SCHEMA_INVALID', '/agent/tools/0/parameters_schema/properties/a/type', 'AAIF-4.4-02'],
      ['error', 'SCHEMA_INVALID', '/agent/io/output_schema/required', 'SPEC-D-30'],
    )
  })
})

describe('secrets', () => {
  // Assembled here, so that the source file contains no key.
  const key = ['sk', 'proj', 'Ab3dEf6hIj9lMn2pQr5tUv8xYz1bCd4fGh7jKl0nOp3rSt6v'].join('-')
  const places: readonly string[] = [
    '/agent/instructions',
    '/agent/constraints/0',
    '/agent/memory/0/content',
    '/agent/tools/0/description',
    '/agent/tools/0/endpoint',
    '/agent/tools/0/auth/header',
    '/agent/tools/0/auth/env_var',
    '/agent/tools/0/auth/vault_ref/path',
    '/agent/model/params/extended/deep',
    '/agent/evaluation/test_cases/0/input',
    '/x-acme-desk/colour',
    '/tags/0',
  ]
  test('AAIF-4.4-10: a secret is found at any path, and never repeated', () => {
    for (const pointer of places) {
      const definition = copyOf(full)
      const steps = pointer.slice(1).split('/')
      const last = steps.pop() as string
      let target = definition
      for (const step of steps) target = target[step]
      target[last] = key
      const issues = found(definition)
      const secret = issues.filter(({ code }) => code === 'SECRET_INLINE')
      assert.deepEqual(
        secret.map((issue) => [issue.severity, issue.pointer]),
        [['error', pointer]],
      )
      assert.ok(!JSON.stringify(issues).includes(key.slice(8)), pointer)
    }
  })
  test('AAIF-4.4-10: an env_var that is not the name of a variable is an error', () => {
    for (const env_var of ['hunter 2', 'abc-def', '1TOKEN', '']) {
      const issues = found(tool({ auth: { type: 'bearer', env_var } }))
      assert.ok(
        issues.some(({ code, rule }) => code === 'ENV_VAR_NOT_A_NAME' && rule === 'AAIF-4.4-10'),
        env_var,
      )
    }
  })
  test('AAIF-12-04: a tool with a credential in its endpoint, header or schema is refused', () => {
    for (const members of [
      { protocol: 'http', endpoint: 'https://me:hunter2@x.example/' },
      { protocol: 'http', endpoint: `https://x.example/?key=${key}` },
      { auth: { type: 'api_key', env_var: 'K', header: `Authorization: Bearer ${key}` } },
      { parameters_schema: { type: 'object', properties: { a: { default: key } } } },
    ] as JsonObject[]) {
      const issues = found(tool(members)).filter(({ code }) => code === 'SECRET_INLINE')
      assert.deepEqual(
        issues.map(({ severity, rule }) => [severity, rule]),
        [['error', 'AAIF-12-04']],
        Object.keys(members).join(),
      )
    }
  })
  test('secrets are reported even if the schema finds errors', () => {
    const issues = found({ ...minimal, status: 'running', agent: { name: 'a', goal: key } })
    assert.deepEqual(issues.map(({ code }) => code).sort(), ['NOT_IN_ENUM', 'SECRET_INLINE'])
  })
})

describe('orchestration', () => {
  const orchestrated = (members: JsonObject) =>
    agentWith({
      orchestration: { subagents: [{ ref: 'urn:a', alias: 'one' }, { ref: 'urn:b' }], ...members },
    })
  test('AAIF-4.3-03: a pipeline step that matches no alias and no ref is an error', () => {
    finds(orchestrated({ pipeline: ['one', 'urn:b', 'urn:a'] }))
    finds(orchestrated({ pipeline: ['one', 'won'] }), [
      'error',
      'PIPELINE_UNRESOLVED',
      '/agent/orchestration/pipeline/1',
      'AAIF-4.3-03',
    ])
    finds(agentWith({ orchestration: { pipeline: ['one'] } }), [
      'error',
      'PIPELINE_UNRESOLVED',
      '/agent/orchestration/pipeline/0',
      'AAIF-4.3-03',
    ])
  })
  test('a step that matches two subagents, and a duplicate alias, are errors', () => {
    const crossed = { subagents: [{ ref: 'x', alias: 'y' }, { ref: 'y' }], pipeline: ['y'] }
    finds(orchestrated(crossed), [
      'error',
      'PIPELINE_AMBIGUOUS',
      '/agent/orchestration/pipeline/0',
      'AAIF-4.3-03',
    ])
    finds(
      orchestrated({
        subagents: [
          { ref: 'x', alias: 'y' },
          { ref: 'z', alias: 'y' },
        ],
      }),
      ['error', 'DUPLICATE_ALIAS', '/agent/orchestration/subagents/1/alias', 'AAIF-4.3-03'],
    )
  })
  test('the strategy referee needs a referee', () => {
    finds(orchestrated({ consensus: { strategy: 'referee' } }), [
      'error',
      'REFEREE_MISSING',
      '/agent/orchestration/consensus/referee_agent',
      'SPEC-D-11',
    ])
    finds(orchestrated({ consensus: { strategy: 'majority_vote' } }))
  })
})

describe('values that the schema leaves free', () => {
  test('SPEC-D-06: an unknown fallback provider is only a warning', () => {
    finds(
      agentWith({
        model: {
          fallbacks: [
            { provider: 'groq', model: 'm' },
            { provider: 'opnai', model: 'm' },
          ],
        },
      }),
      ['warning', 'PROVIDER_UNKNOWN', '/agent/model/fallbacks/1/provider', 'SPEC-D-06'],
    )
  })
  test('AAIF-4.5-08: a vector backend without embedding_model or retrieval_strategy is warned about', () => {
    for (const backend of ['pinecone', 'weaviate', 'qdrant', 'chroma']) {
      const entry = { scope: 'user', content: 'c', backend }
      finds(agentWith({ memory: [entry] }), [
        'warning',
        'VECTOR_MEMORY_INCOMPLETE',
        '/agent/memory/0',
        'AAIF-4.5-08',
      ])
      finds(agentWith({ memory: [{ ...entry, embedding_model: 'e' }] }), [
        'warning',
        'VECTOR_MEMORY_INCOMPLETE',
        '/agent/memory/0',
        'AAIF-4.5-08',
      ])
      finds(agentWith({ memory: [{ ...entry, embedding_model: 'e', retrieval_strategy: 'hybrid' }] }))
    }
    finds(agentWith({ memory: [{ scope: 'user', content: 'c', backend: 'redis' }] }))
  })
  test('AAIF-7-02: a capability is category.capability in lower case', () => {
    finds(agentWith({ required_capabilities: ['tool.mcp', 'foo.bar', 'a.b_2.c'] }))
    for (const capability of ['tool', 'Tool.mcp', 'tool.', '.mcp', 'tool mcp', '']) {
      finds(agentWith({ required_capabilities: [capability] }), [
        'warning',
        'CAPABILITY_FORM',
        '/agent/required_capabilities/0',
        'AAIF-7-02',
      ])
    }
  })
  test('a custom metric without a name is warned about', () => {
    finds(agentWith({ evaluation: { metrics: [{ name: 'custom' }] } }), [
      'warning',
      'METRIC_UNNAMED',
      '/agent/evaluation/metrics/0/custom_name',
      'SPEC-D-23',
    ])
  })
})

describe('extensions', () => {
  test('an extension named like a standard member is flagged', () => {
    finds(
      { ...minimal, 'x-tools': [], 'x-required-capabilities': [], 'x-acme-tools': [] },
      ['warning', 'EXTENSION_SHADOWS_STANDARD', '/x-tools', 'SPEC-W-07'],
      ['warning', 'EXTENSION_SHADOWS_STANDARD', '/x-required-capabilities', 'SPEC-W-07'],
    )
  })
  test('the list of standard members matches the schema', () => {
    const schema = copyOf(agentSchema)
    const members = [...Object.keys(schema.properties), ...Object.keys(schema.$defs.Agent.properties)]
    assert.deepEqual([...STANDARD_MEMBERS].sort(), members.filter((name) => name !== '_comment').sort())
  })
})

describe('values that the schema accepts and that do not mean what they say', () => {
  const shadows = (pointer: string) =>
    ['warning', 'EXTENSION_SHADOWS_STANDARD', pointer, 'SPEC-W-07'] as [Severity, string, string, string]
  test('SPEC-W-07: an extension that has the name of a member below the agent block is flagged', () => {
    for (const name of [
      'x-safety_level',
      'x-human_in_the_loop',
      'x-audit_log',
      'x-pii_handling',
      'x-data-residency',
      'x-dataResidency',
      'x-Safety-Level',
      'x-timeout_seconds',
      'x-max_iterations',
    ])
      finds(agentWith({}, { [name]: true }), shadows(`/${name}`))
    for (const name of ['x-acme-safety_level', 'x-level', 'x-environment', 'x-region', 'x-audit'])
      finds(agentWith({}, { [name]: true }))
  })

  test('a version of the format that is newer than known, or has leading zeros, is flagged', () => {
    const unknown: [Severity, string, string, string] = [
      'warning',
      'SC_VERSION_UNKNOWN',
      '/sc_version',
      'AAIF-4-04',
    ]
    for (const sc_version of ['4.2.0', '99.0.0', '3.5.0', '3.4.1', '03.4.0', '3.04.0', '0.9.0'])
      finds(agentWith({}, { sc_version }), unknown)
    for (const sc_version of ['3.4.0', '3.0.0', '2.10.3', '1.0.0']) finds(agentWith({}, { sc_version }))
  })

  test('a model without its provider is flagged', () => {
    finds(agentWith({ model: { preferred: 'llama3' } }), [
      'warning',
      'PROVIDER_MISSING',
      '/agent/model/provider',
      'SPEC-D-06',
    ])
    finds(agentWith({ model: { preferred: 'llama3', provider: 'ollama' } }))
    finds(agentWith({ model: { fallbacks: [{ provider: 'ollama', model: 'llama3' }] } }))
  })

  test('a time for approvals that is over at once is flagged', () => {
    const of = (timeout_seconds: number) =>
      agentWith({ compliance: { human_in_the_loop: { enabled: true, timeout_seconds } } })
    const pointer = '/agent/compliance/human_in_the_loop/timeout_seconds'
    for (const seconds of [-5, 0])
      finds(of(seconds), ['warning', 'APPROVAL_TIMEOUT_UNUSABLE', pointer, 'AAIF-4.9-12'])
    finds(of(1))
  })
})
