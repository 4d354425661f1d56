import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '../../src/document/issue.ts'
import { agentDefinitionRules } from '../../src/spec/aaif/agent.catalogue.ts'
import { platformManifestRules } from '../../src/spec/aaif/manifest.catalogue.ts'
import { agentStateRules } from '../../src/spec/aaif/state.catalogue.ts'
import { detectKind, type Kind, validatorOf } from '../../src/spec/kinds.ts'

/** The least document of each kind, as its catalogue has it. */
const LEAST: readonly (readonly [Kind, Json])[] = [
  ['aaif.agent', agentDefinitionRules[0]?.right ?? null],
  ['aaif.state', agentStateRules[0]?.right ?? null],
  ['aaif.manifest', platformManifestRules[0]?.right ?? null],
]

test('AAIF-2-01: each of the three kinds is told by its shape and judged by its own schema only', () => {
  for (const [kind, document] of LEAST) {
    const detected = detectKind(document)
    assert.equal(detected?.kind, kind)
    for (const [judge] of LEAST) {
      const accepted = validatorOf(judge)(document).every(({ severity }) => severity !== 'error')
      assert.equal(accepted, judge === kind, `${kind} by the schema of ${judge}`)
    }
  }
})

test('documents of older versions are judged by the schema of 3.4.0', () => {
  for (const [kind, document] of LEAST) {
    for (const sc_version of ['1.0.0', '2.1.0', '3.0.0', '3.4.0']) {
      const issues = validatorOf(kind)({ ...(document as object), sc_version } as Json)
      assert.deepEqual(issues, [], `${kind} ${sc_version}`)
    }
  }
})
