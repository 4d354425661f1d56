import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Issue } from '../../src/document/issue.ts'
import { agentDefinitionRules } from '../../src/spec/aaif/agent.catalogue.ts'
import { handoffStreamRules } from '../../src/spec/aaif/handoff-stream.catalogue.ts'
import { platformManifestRules } from '../../src/spec/aaif/manifest.catalogue.ts'
import { registryRules } from '../../src/spec/aaif/registry.catalogue.ts'
import { conformanceReportRules } from '../../src/spec/aaif/report.catalogue.ts'
import { agentStateRules } from '../../src/spec/aaif/state.catalogue.ts'
import { validatorOf } from '../../src/spec/validator-of.ts'

const CATALOGUES = [
  agentDefinitionRules,
  agentStateRules,
  platformManifestRules,
  conformanceReportRules,
  registryRules,
  handoffStreamRules,
]

const printed = (issues: readonly Issue[]) => JSON.stringify(issues, null, 1)

for (const rules of CATALOGUES) {
  const kind = rules[0]?.kind ?? 'aaif.agent'
  const validate = validatorOf(kind)
  describe(`the catalogue of ${kind}`, () => {
    for (const { id, codes, right, wrong, severity, sentence } of rules) {
      test(`${sentence} [${id}]`, () => {
        assert.deepEqual(
          validate(right).filter((issue) => issue.rule === id || issue.severity === 'error'),
          [],
          'the valid document follows the rule',
        )
        const issues = validate(wrong)
        const own = issues.filter((issue) => issue.rule === id)
        assert.ok(own.length > 0, `the invalid document breaks the rule: ${printed(issues)}`)
        for (const issue of own) assert.ok(codes.includes(issue.code), `its codes are listed: ${issue.code}`)
        assert.ok(
          own.some((issue) => issue.severity === severity),
          `its severity is ${severity}`,
        )
        assert.deepEqual(
          issues.filter((issue) => issue.severity === 'error' && issue.rule !== id),
          [],
          'and no other rule',
        )
      })
    }
    test('each rule is listed once', () => {
      const ids = rules.map(({ id }) => id)
      assert.deepEqual(
        ids.filter((id, index) => ids.indexOf(id) !== index),
        [],
      )
      assert.ok(rules.every((rule) => rule.kind === kind))
    })
  })
}
