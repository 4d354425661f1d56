import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseRequirements, provedIds } from '../../scripts/requirement-ids.ts'

test('a test proves the ids that its title begins with, and no others', () => {
  // Assembled, so that this file itself claims nothing.
  const call = 'te' + 'st('
  const source = [
    `${call}'AAIF-4.2-15: one', () => {})`,
    `  ${call}\n    "AAIF-8.2-03, IAP-3-01: two", () => {})`,
    `${call}\`AAIF-SPEC-F-02: three \${x}\`, () => {})`,
    `const CASES = [{ ${'na' + 'me'}: 'AAIF-4.3-02: a case', input: 1 }]`,
    `${call}'speaks of AAIF-4-01: not a claim', () => {})`,
    `// AAIF-4-02: a comment`,
    `describe('AAIF-4-03: a group', () => {})`,
  ].join('\n')
  assert.deepEqual(
    [...provedIds(source)],
    ['AAIF-4.2-15', 'AAIF-8.2-03', 'IAP-3-01', 'AAIF-SPEC-F-02', 'AAIF-4.3-02'],
  )
})

test('the list is read by its column names', () => {
  const text = 'area\tid\trequirement\tcapability\tstrength\nrouting\tX-1-01\tdo it\truntime\tMUST\n'
  assert.deepEqual(parseRequirements(text), [
    { id: 'X-1-01', strength: 'MUST', requirement: 'do it', area: 'routing', capability: 'runtime' },
  ])
})
