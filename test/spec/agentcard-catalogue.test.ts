import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agentCardRules } from '../../src/spec/agentcard/agent-card.catalogue.ts'
import { validateAgentCard } from '../../src/spec/agentcard/validate-agent-card.ts'

test('each rule is in the catalogue once', () => {
  const ids = agentCardRules.map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length)
})

for (const { id, codes, severity, right, wrong } of agentCardRules) {
  test(`the catalogue's examples of ${id} follow it and break only it`, () => {
    assert.deepEqual(
      validateAgentCard(right).filter(({ rule }) => rule === id),
      [],
    )
    const issues = validateAgentCard(wrong)
    const [found] = issues.filter(({ rule }) => rule === id)
    assert.ok(found !== undefined && codes.includes(found.code), JSON.stringify(issues))
    assert.equal(found.severity, severity)
    assert.deepEqual(
      issues.filter((issue) => issue.severity === 'error' && issue.rule !== id),
      [],
    )
  })
}
