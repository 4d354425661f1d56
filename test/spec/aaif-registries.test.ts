import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, test } from 'node:test'
import type { Json, JsonObject } from '../../src/document/json.ts'
import { EXTENSION_POINTS, REGISTRY_INFO } from '../../src/spec/aaif/registries/extension-points.ts'
import {
  policyOf,
  REGISTRY_POLICIES,
  registrationGaps,
} from '../../src/spec/aaif/registries/registration-policies.ts'
import { registryOf } from '../../src/spec/aaif/registries/registry-of.ts'
import { validateAgentDefinition } from '../../src/spec/aaif/validate-agent-definition.ts'
import { validateRegistry } from '../../src/spec/aaif/validate-registry.ts'
import {
  CONDITION_LANGUAGES,
  MEMORY_BACKENDS,
  PROVIDERS,
  TOOL_PROTOCOLS,
  VAULT_PROVIDERS,
} from '../../src/spec/aaif/vocabulary.ts'
import { full, minimal } from './aaif/samples.ts'
import { errorsOf, having, judging } from './aaif-judging.ts'

const root = join(import.meta.dirname, '../..')
const reference = `${process.env.WAYBILL_TEST_DATA ?? '../shared'}/reference/aaif/registries`

const registry = (name: string, ...entries: JsonObject[]): JsonObject => ({
  registry: name,
  sc_standard: 'SC-006',
  description: 'Ours.',
  registration_policy: 'First Come First Served',
  entries,
})

/** Where a definition names a value of each extension point that has an enumeration, and the name of its registry. */
const PLACES = [
  ['aaif-model-providers', '/agent/model/provider'],
  ['aaif-condition-languages', '/agent/orchestration/subagents/0/when/lang'],
  ['aaif-condition-languages', '/agent/compliance/human_in_the_loop/trigger/lang'],
  ['aaif-vault-providers', '/agent/tools/0/auth/vault_ref/provider'],
  ['aaif-memory-backends', '/agent/memory/0/backend'],
  ['aaif-tool-protocols', '/agent/tools/0/protocol'],
] as const

const outcome = (definition: Json, ...registries: Json[]) =>
  validateAgentDefinition(definition, { registries }).map(({ severity, code, pointer }) => [
    severity,
    code,
    pointer,
  ])

describe('AAIF §10 registries', () => {
  test('AAIF-10-01: six registries, one for each extension point, in six files', () => {
    const table = EXTENSION_POINTS.map((point) => [point, REGISTRY_INFO[point].file])
    assert.deepEqual(Object.fromEntries(table), {
      'model.provider': 'providers.json',
      required_capabilities: 'capabilities.json',
      'condition.lang': 'condition-languages.json',
      'vault_ref.provider': 'vault-providers.json',
      'memory.backend': 'memory-backends.json',
      'tool.protocol': 'tool-protocols.json',
    })
    for (const point of EXTENSION_POINTS) {
      const { file, registry: name } = REGISTRY_INFO[point]
      const published = JSON.parse(readFileSync(join(root, 'schemas/aaif/registries', file), 'utf8'))
      assert.deepEqual(published, registryOf(point))
      assert.equal(published.registry, name)
    }
  })
  test('AAIF-10-02: the six files satisfy the meta-schema, and a broken one does not', () => {
    const files = globSync('schemas/aaif/registries/*.json', { cwd: root })
    assert.equal(files.length, 6)
    for (const file of files) {
      const published = JSON.parse(readFileSync(join(root, file), 'utf8'))
      assert.deepEqual(validateRegistry(published), [], basename(file))
      const broken = having(published, '/entries/0/status', undefined)
      assert.equal(errorsOf('aaif.registry', broken).length, 1)
    }
  })
  test('AAIF-10-03: a standard value of a loaded registry is conformant at every extension point', () => {
    for (const [name, pointer] of PLACES) {
      const definition = having(full, pointer, 'brand_new')
      const refusals = outcome(definition)
      assert.deepEqual(refusals, [['error', 'NOT_IN_ENUM', pointer]], pointer)
      assert.deepEqual(outcome(definition, registry(name, { id: 'brand_new', status: 'standard' })), [])
      // A registry applies only to its own extension point.
      const elsewhere = registry('aaif-capabilities', { id: 'brand_new', status: 'standard' })
      assert.deepEqual(outcome(definition, elsewhere), refusals)
    }
  })
  test('a value accepted by a registry does not hide other errors, nor the rules after the schema', () => {
    const ours = registry('aaif-model-providers', { id: 'brand_new', status: 'standard' })
    const definition = having(full, '/agent/model/provider', 'brand_new')
    assert.deepEqual(outcome(having(definition, '/agent/name', ''), ours), [
      ['error', 'TOO_SHORT', '/agent/name'],
    ])
    assert.deepEqual(outcome(having(definition, '/agent/orchestration/pipeline/0', 'nobody'), ours), [
      ['error', 'PIPELINE_UNRESOLVED', '/agent/orchestration/pipeline/0'],
    ])
  })
  test('AAIF-10-04: an unregistered value is refused, and the hint names the alternative', () => {
    const errors = errorsOf('aaif.agent', having(full, '/agent/model/provider', 'acmecorp'))
    assert.equal(errors.length, 1)
    assert.match(errors[0]?.hint ?? '', /"custom".*provider_id/)
    judging('aaif.agent', full).refuses('AAIF-4.4-01', 'NOT_IN_ENUM', '/agent/tools/0/protocol', 'soap')
    const around = { provider: 'custom', provider_id: 'acmecorp' }
    assert.deepEqual(errorsOf('aaif.agent', having(full, '/agent/model', around)), [])
  })
  test('AAIF-10-06: each registry has its policy, and another is flagged', () => {
    const policies = EXTENSION_POINTS.map((point) => [point, policyOf(registryOf(point).registration_policy)])
    assert.deepEqual(Object.fromEntries(policies), {
      'model.provider': 'Specification Required',
      required_capabilities: 'Expert Review',
      'condition.lang': 'Specification Required',
      'vault_ref.provider': 'Specification Required',
      'memory.backend': 'Specification Required',
      'tool.protocol': 'Standards Action',
    })
    for (const point of EXTENSION_POINTS) {
      const lax = { ...registryOf(point), registration_policy: 'First Come First Served' }
      assert.deepEqual(
        validateRegistry(lax as unknown as Json)
          .filter(({ code }) => code === 'POLICY_OTHER')
          .map(({ rule }) => rule),
        ['AAIF-10-06'],
      )
    }
  })
  test('AAIF-10-07: four policies, each with its requirements for an entry', () => {
    const asks = [
      ['First Come First Served', { meaning: 'Does it.' }, { meaning: '' }],
      ['Specification Required', { spec: 'https://acme.example/spec' }, { spec: 'somewhere' }],
      ['Expert Review', { reviewed_by: 'The editor' }, { meaning: 'Does it.' }],
      ['Standards Action', { since: '3.5.0' }, { since: '3.5.1' }],
    ] as const
    assert.deepEqual(
      asks.map(([policy]) => policy),
      REGISTRY_POLICIES,
    )
    for (const [policy, enough, lacking] of asks) {
      assert.deepEqual(registrationGaps(policy, { id: 'a', status: 'provisional', ...enough }), [])
      assert.equal(registrationGaps(policy, { id: 'a', status: 'provisional', ...lacking }).length, 1)
      const asked = { ...registry('aaif-acme', { id: 'a', status: 'provisional', ...lacking }) }
      const issues = validateRegistry({ ...asked, registration_policy: `${policy} (with a note).` })
      assert.deepEqual(
        issues.map(({ severity, code, pointer }) => [severity, code, pointer]),
        [['warning', 'REGISTRATION_INCOMPLETE', '/entries/0']],
      )
    }
    assert.equal(policyOf('whoever asks'), undefined)
  })
  test('SPEC-X-01: every value of an enumeration has a standard entry', () => {
    const enumerations = [
      ['model.provider', PROVIDERS],
      ['condition.lang', CONDITION_LANGUAGES],
      ['vault_ref.provider', VAULT_PROVIDERS],
      ['memory.backend', MEMORY_BACKENDS],
      ['tool.protocol', TOOL_PROTOCOLS],
    ] as const
    for (const [point, values] of enumerations) {
      const standard = registryOf(point).entries.filter(({ status }) => status === 'standard')
      assert.deepEqual(new Set(standard.map(({ id }) => id)), new Set<string>(values), point)
    }
  })
  test('SPEC-X-02: an entry has id and one of four statuses', () => {
    const { accepts, refuses, requires } = judging(
      'aaif.registry',
      registry('aaif-acme', { id: 'a', status: 'standard' }),
    )
    accepts('/entries/0/status', 'standard', 'deprecated', 'reserved')
    refuses('SPEC-X-02', 'NOT_IN_ENUM', '/entries/0/status', 'draft', 'Standard')
    refuses('SPEC-X-02', 'TOO_SHORT', '/entries/0/id', '')
    requires('SPEC-X-02', '/entries/0/id', '/entries/0/status')
  })
  test('SPEC-X-03: provisional values are written as custom, deprecated values give a warning, reserved values are refused', () => {
    for (const id of ['copilot', 'cline', 'litellm', 'vllm', 'perplexity']) {
      const [error] = errorsOf('aaif.agent', having(full, '/agent/model/provider', id))
      assert.deepEqual([error?.code, error?.rule], ['VALUE_PROVISIONAL', 'SPEC-X-03'])
      assert.match(error?.hint ?? '', new RegExp(`"custom".*"provider_id": "${id}"`))
    }
    for (const [name, pointer] of PLACES) {
      const definition = having(full, pointer, 'brand_new')
      const as = (status: string) => outcome(definition, registry(name, { id: 'brand_new', status }))
      assert.deepEqual(as('deprecated'), [['warning', 'VALUE_DEPRECATED', pointer]])
      assert.deepEqual(as('reserved'), [['error', 'VALUE_RESERVED', pointer]])
      assert.deepEqual(as('provisional'), [['error', 'VALUE_PROVISIONAL', pointer]])
    }
  })
  test('the last loaded registry wins, and may deprecate values of the schema', () => {
    const old = registry('aaif-capabilities', { id: 'tool.mcp', status: 'deprecated' })
    const kept = registry('aaif-capabilities', { id: 'tool.mcp', status: 'standard' })
    assert.deepEqual(outcome(full, old), [['warning', 'VALUE_DEPRECATED', '/agent/required_capabilities/0']])
    assert.deepEqual(outcome(full, old, kept), [])
  })
  test('a fallback may name a registered provider without a warning', () => {
    const model = { fallbacks: [{ provider: 'brand_new', model: 'm' }] }
    const definition = having(minimal, '/agent/model', model)
    const pointer = '/agent/model/fallbacks/0/provider'
    assert.deepEqual(outcome(definition), [['warning', 'PROVIDER_UNKNOWN', pointer]])
    const ours = registry('aaif-model-providers', { id: 'brand_new', status: 'standard' })
    assert.deepEqual(outcome(definition, ours), [])
  })
  test('a loaded document must be a registry of an extension point', () => {
    assert.throws(() => outcome(minimal, { registry: 'aaif-model-providers' }), { code: 'REQUIRED_MISSING' })
    assert.throws(() => outcome(minimal, registry('aaif-acme', { id: 'a', status: 'standard' })), {
      code: 'REGISTRY_UNKNOWN',
    })
  })
  test('the built-in registries have the ids, statuses and first versions of the published ones', (t) => {
    if (!existsSync(reference)) return t.skip(`needs the published registries at ${reference}`)
    for (const point of EXTENSION_POINTS) {
      const published = JSON.parse(readFileSync(join(reference, REGISTRY_INFO[point].file), 'utf8'))
      const facts = ({ id, status, since }: { id: string; status: string; since?: unknown }) => [
        id,
        status,
        since,
      ]
      assert.deepEqual(registryOf(point).entries.map(facts), published.entries.map(facts), point)
      assert.equal(registryOf(point).registry, published.registry)
      assert.deepEqual(errorsOf('aaif.registry', published), [])
    }
  })
})

describe('vocabularies that registries extend', () => {
  const { accepts, refuses } = judging('aaif.agent', full)
  const registers = (name: string, pointer: string, id: string) =>
    assert.deepEqual(outcome(having(full, pointer, id), registry(name, { id, status: 'standard' })), [])

  test('AAIF-4.4-01: four protocols; others only if they are registered', () => {
    const pointer = '/agent/tools/0/protocol'
    accepts(pointer, 'function', 'mcp', 'http', 'openapi', undefined)
    refuses('AAIF-4.4-01', 'NOT_IN_ENUM', pointer, 'grpc')
    registers('aaif-tool-protocols', pointer, 'grpc')
  })
  test('AAIF-4.5-06: nine backends; others only if they are registered', () => {
    const pointer = '/agent/memory/0/backend'
    accepts(pointer, ...MEMORY_BACKENDS)
    refuses('AAIF-4.5-06', 'NOT_IN_ENUM', pointer, 'mongodb')
    registers('aaif-memory-backends', pointer, 'mongodb')
  })
  test('SPEC-D-15: six vaults; others only if they are registered', () => {
    const pointer = '/agent/tools/0/auth/vault_ref/provider'
    accepts(pointer, ...VAULT_PROVIDERS)
    refuses('SPEC-D-15', 'NOT_IN_ENUM', pointer, 'doppler')
    registers('aaif-vault-providers', pointer, 'doppler')
  })
  test('a Condition in a registered language is accepted with the type of expr of that language', () => {
    const when = '/agent/orchestration/subagents/0/when'
    const ours = registry('aaif-condition-languages', { id: 'rego', status: 'standard' })
    for (const expr of ['allow', { allow: true }]) {
      assert.deepEqual(outcome(having(full, when, { lang: 'rego', expr }), ours), [])
    }
  })
  test('SPEC-R-01: condition.structured is a standard capability', () => {
    const entry = registryOf('required_capabilities').entries.find(({ id }) => id === 'condition.structured')
    assert.deepEqual([entry?.status, entry?.since], ['standard', '3.2.0'])
    assert.deepEqual(outcome(having(full, '/agent/required_capabilities', ['condition.structured'])), [])
  })
})
