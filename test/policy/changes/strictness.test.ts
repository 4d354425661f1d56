import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Pair } from '../../../src/policy/changes/definition-change.ts'
import { strictness } from '../../../src/policy/changes/scalar-rules.ts'

const LEVELS = ['minimal', 'standard', 'strict']
const NONE = { before: {}, after: {} }

function effectOf(
  before: string | undefined,
  after: string | undefined,
  byDefault?: string,
): string | undefined {
  const pair: Pair = {
    before,
    after,
    byDefault,
    beforePath: '/x',
    afterPath: '/x',
    name: 'level',
    owners: NONE,
    agents: NONE,
    compareMembers: () => [],
  }
  return strictness(LEVELS).compare(pair)[0]?.effect
}

describe('a level between loose and strict', () => {
  const cases: readonly (readonly [
    before: string | undefined,
    after: string | undefined,
    effect: string | undefined,
  ])[] = [
    ['minimal', 'standard', 'narrows'],
    ['minimal', 'strict', 'narrows'],
    ['strict', 'minimal', 'widens'],
    ['standard', 'standard', undefined],
    // A level outside of the list may be stricter or looser than each other.
    ['unknown', 'strict', 'widens'],
    ['unknown', 'minimal', 'widens'],
    ['strict', 'unknown', 'widens'],
    ['minimal', 'unknown', 'widens'],
    ['unknown', 'other', 'widens'],
    [undefined, 'strict', 'widens'],
    ['strict', undefined, 'widens'],
  ]
  for (const [before, after, effect] of cases)
    test(`from ${before} to ${after}: ${effect ?? 'no change'}`, () =>
      assert.equal(effectOf(before, after), effect))

  test('an absent level has its default', () => {
    assert.equal(effectOf(undefined, 'strict', 'minimal'), 'narrows')
    assert.equal(effectOf(undefined, 'minimal', 'minimal'), undefined)
  })
})
