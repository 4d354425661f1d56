import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Code } from '../../src/document/codes.ts'
import { mergeDecisions } from '../../src/run/decide/merge-decisions.ts'
import type { Decision } from '../../src/run/event.ts'
import type { RunWarning } from '../../src/run/state.ts'

const warning = (code: Code): RunWarning => ({ code, message: code })
const breach = (constraint: string) => ({ constraint, why: 'it says so' })

describe('merging decisions about one fact', () => {
  const merges: readonly (readonly [rule: string, decisions: readonly Decision[], merged: Decision])[] = [
    [
      'warnings of all decisions are kept, in order',
      [
        { warnings: [warning('DEGRADED')] },
        { warnings: [warning('MODEL_WARNING'), warning('OUTPUT_TRUNCATED')] },
        { warnings: [warning('HOOK_FAILED')] },
      ],
      {
        warnings: [
          warning('DEGRADED'),
          warning('MODEL_WARNING'),
          warning('OUTPUT_TRUNCATED'),
          warning('HOOK_FAILED'),
        ],
      },
    ],
    [
      'breaches of all decisions are kept, in order',
      [{ breaches: [breach('a')] }, { breaches: [breach('b')] }],
      { breaches: [breach('a'), breach('b')] },
    ],
    [
      'members of one decision only are kept',
      [{ settle: true }, { recall: true }, {}],
      { settle: true, recall: true },
    ],
    ['null is a value', [{ stage: null }, { review: null }], { stage: null, review: null }],
    [
      'equal values of one member are no conflict',
      [
        { clear: true, stage: { type: 'pipeline', step: 1 } },
        { clear: true, stage: { type: 'pipeline', step: 1 } },
      ],
      { clear: true, stage: { type: 'pipeline', step: 1 } },
    ],
    ['equal lists of one member are no conflict', [{ cancel: ['a'] }, { cancel: ['a'] }], { cancel: ['a'] }],
    ['no decision gives an empty one', [], {}],
  ]
  for (const [rule, decisions, merged] of merges) {
    test(rule, () => assert.deepEqual(mergeDecisions(...decisions), merged))
  }

  const conflicts: readonly (readonly [member: string, first: Decision, second: Decision])[] = [
    ['deadline_at', { deadline_at: 1 }, { deadline_at: 2 }],
    ['stage', { stage: { type: 'route' } }, { stage: null }],
    ['set', { set: { a: 'sent' } }, { set: { b: 'sent' } }],
    ['cost_usd', { cost_usd: 0 }, { cost_usd: null }],
    ['cancel', { cancel: ['a'] }, { cancel: ['b'] }],
  ]
  for (const [member, first, second] of conflicts) {
    test(`different values of ${member} are a defect, in both orders`, () => {
      const message = new RegExp(`different values to "${member}"`)
      assert.throws(() => mergeDecisions(first, second), message)
      assert.throws(() => mergeDecisions(second, first), message)
    })
  }

  test('the merged decisions are not changed', () => {
    const first: Decision = Object.freeze({ warnings: Object.freeze([warning('DEGRADED')]) })
    mergeDecisions(first, { warnings: [warning('MODEL_WARNING')] })
    assert.deepEqual(first, { warnings: [warning('DEGRADED')] })
  })
})
