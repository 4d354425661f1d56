import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json, JsonObject } from '../../src/document/json.ts'
import { agentDefinitionRules } from '../../src/spec/aaif/agent.catalogue.ts'
import { without } from '../../src/spec/aaif/catalogue/entry.ts'
import { platformManifestRules } from '../../src/spec/aaif/manifest.catalogue.ts'
import { agentStateRules } from '../../src/spec/aaif/state.catalogue.ts'
import { detectKind, type Kind } from '../../src/spec/kinds.ts'
import { validatorOf } from '../../src/spec/validator-of.ts'

/** The smallest document of each kind, from its catalogue. */
const LEAST: readonly (readonly [Kind, Json])[] = [
  ['aaif.agent', agentDefinitionRules[0]?.right ?? null],
  ['aaif.state', agentStateRules[0]?.right ?? null],
  ['aaif.manifest', platformManifestRules[0]?.right ?? null],
]

test('AAIF-2-01: each of the three kinds is detected by its shape and accepted only by its own schema', () => {
  for (const [kind, document] of LEAST) {
    const detected = detectKind(document)
    assert.equal(detected?.kind, kind)
    for (const [judge] of LEAST) {
      const accepted = validatorOf(judge)(document).every(({ severity }) => severity !== 'error')
      assert.equal(accepted, judge === kind, `${kind} by the schema of ${judge}`)
    }
  }
})

test('a document without one identifying member is detected by the others', () => {
  const [agent, state, manifest] = LEAST.map(([, document]) => document as JsonObject)
  for (const member of ['sc_standard', 'state_id', 'checkpoint_at', 'status', 'agent_id']) {
    assert.equal(detectKind(without(state ?? {}, member))?.kind, 'aaif.state', member)
  }
  assert.equal(detectKind(without(manifest ?? {}, 'sc_standard'))?.kind, 'aaif.manifest')
  assert.equal(detectKind({ ...agent, platform: 'mistyped', state_id: '' })?.kind, 'aaif.agent')
  assert.equal(detectKind({ sc_standard: 'SC-006', registry: 'aaif-model-providers' })?.kind, 'aaif.registry')
})

test('SPEC-W-05: x-sc-schema selects the schema only of a document whose kind cannot be detected', () => {
  for (const [schema, kind] of [
    ['agent.schema.json', 'aaif.agent'],
    ['agent-state.schema.json', 'aaif.state'],
    ['https://schemas.example/platform-manifest.schema.json', 'aaif.manifest'],
    ['conformance-report.schema.json', 'aaif.conformance-report'],
  ] as const) {
    assert.equal(detectKind({ sc_standard: 'SC-006', 'x-sc-schema': schema })?.kind, kind)
  }
  for (const [kind, document] of LEAST) {
    const { 'x-sc-schema': _, ...without } = document as JsonObject
    assert.equal(detectKind(without)?.kind, kind)
    assert.deepEqual(validatorOf(kind)(without), validatorOf(kind)(document as Json), kind)
  }
})

test('documents of older versions are validated with the schema of 3.4.0', () => {
  for (const [kind, document] of LEAST) {
    for (const sc_version of ['1.0.0', '2.1.0', '3.0.0', '3.4.0']) {
      const issues = validatorOf(kind)({ ...(document as object), sc_version } as Json)
      assert.deepEqual(issues, [], `${kind} ${sc_version}`)
    }
  }
})
