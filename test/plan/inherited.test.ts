import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type Inherited,
  inheritance,
  NOTHING_INHERITED,
  regionsOf,
  stricter,
} from '../../src/plan/inherited.ts'
import type { SafetyLevel } from '../../src/plan/plan.ts'
import { plannedApproval, stricterApproval } from '../../src/plan/plan-approval.ts'

const CEL = { lang: 'cel', expr: 'true' }
const OTHER = { lang: 'never' }

describe('AAIF §3 what a called agent inherits', () => {
  const LEVELS: readonly SafetyLevel[] = ['minimal', 'standard', 'strict', 'regulated']
  for (const [low, a] of LEVELS.entries()) {
    for (const [high, b] of LEVELS.entries()) {
      test(`of ${a} and ${b} the stricter level holds`, () => {
        assert.equal(stricter(a, b), LEVELS[Math.max(low, high)])
      })
    }
  }

  test('each required region is listed once, and `global` requires no region', () => {
    assert.deepEqual(regionsOf(undefined, []), [])
    assert.deepEqual(regionsOf('global', ['EU']), ['EU'])
    assert.deepEqual(regionsOf('US', ['EU']), ['EU', 'US'])
    assert.deepEqual(regionsOf('EU', ['EU']), ['EU'])
  })

  const member = (
    hash: string,
    calls: readonly (string | undefined)[],
    agent: Parameters<typeof inheritance>[0][number]['definition']['agent'] = {},
  ) => ({
    definition_hash: hash,
    definition: { agent },
    subagents: calls.map((callee) => (callee === undefined ? {} : { found: { definition_hash: callee } })),
  })
  const PLAIN: Inherited = { ...NOTHING_INHERITED, level: 'standard', pii: 'detect' }

  test('a caller that declares nothing passes on the defaults: level standard, personal data detected', () => {
    const inherited = inheritance([member('a', ['b', undefined]), member('b', [])])
    assert.deepEqual(
      [...inherited],
      [
        ['a', NOTHING_INHERITED],
        ['b', PLAIN],
      ],
    )
  })

  test('all members are passed on through every level of calls, also in a circle', () => {
    const top = {
      constraints: ['Be brief.'],
      compliance: {
        safety_level: 'strict',
        data_residency: 'EU',
        pii_handling: 'anonymize',
        audit_log: true,
        human_in_the_loop: { enabled: true, timeout_seconds: 3 },
      },
    } as const
    const inherited = inheritance([
      member('a', ['b'], top),
      member('b', ['c'], { constraints: ['Be kind.'], compliance: { data_residency: 'US' } }),
      member('c', ['b']),
    ])
    const passed: Inherited = {
      constraints: ['Be brief.'],
      level: 'strict',
      regions: ['EU'],
      pii: 'anonymize',
      audit: true,
      approval: { timeout_ms: 3000 },
    }
    assert.deepEqual(inherited.get('a'), NOTHING_INHERITED)
    assert.deepEqual(inherited.get('c'), {
      ...passed,
      constraints: ['Be brief.', 'Be kind.'],
      regions: ['EU', 'US'],
    })
    assert.deepEqual(inherited.get('b'), inherited.get('c'))
    const { approval: _, ...unasked } = passed
    const apart = inheritance([
      member('a', ['b'], {
        ...top,
        compliance: { ...top.compliance, human_in_the_loop: { enabled: false } },
      }),
      member('b', []),
    ])
    assert.deepEqual(apart.get('b'), unasked)
  })

  test('audit is inherited only from a caller whose audit_log is true', () => {
    for (const audit_log of [true, false, undefined]) {
      const compliance = audit_log === undefined ? {} : { audit_log }
      const inherited = inheritance([member('a', ['b'], { compliance }), member('b', [])])
      assert.equal(inherited.get('b')?.audit, audit_log === true)
    }
  })
})

describe('AAIF §4.9 which writes a person must approve', () => {
  const hitl = (members: object) => plannedApproval({ compliance: { human_in_the_loop: members } as never })

  test('no write needs approval unless it is enabled', () => {
    assert.equal(plannedApproval({}), undefined)
    assert.equal(plannedApproval({ compliance: {} }), undefined)
    assert.equal(hitl({ enabled: false, trigger: CEL }), undefined)
    assert.equal(hitl({ trigger: CEL }), undefined)
  })

  test('the trigger and the timeout are kept when they are declared; a negative timeout is 0', () => {
    assert.deepEqual(hitl({ enabled: true }), {})
    assert.deepEqual(hitl({ enabled: true, trigger: CEL }), { trigger: CEL })
    assert.deepEqual(hitl({ enabled: true, timeout_seconds: 2 }), { timeout_ms: 2000 })
    assert.deepEqual(hitl({ enabled: true, timeout_seconds: -2 }), { timeout_ms: 0 })
  })

  const cases: readonly (readonly [
    a: Parameters<typeof stricterApproval>[0],
    b: Parameters<typeof stricterApproval>[1],
    both: ReturnType<typeof stricterApproval>,
  ])[] = [
    [undefined, undefined, undefined],
    [{ trigger: CEL }, undefined, { trigger: CEL }],
    [undefined, { timeout_ms: 1 }, { timeout_ms: 1 }],
    [{}, {}, {}],
    [{ trigger: CEL }, { trigger: CEL }, { trigger: CEL }],
    [{ trigger: CEL }, { trigger: OTHER }, {}],
    [{ trigger: CEL }, {}, {}],
    [{ timeout_ms: 5 }, {}, { timeout_ms: 5 }],
    [{}, { timeout_ms: 5 }, { timeout_ms: 5 }],
    [{ timeout_ms: 5 }, { timeout_ms: 3 }, { timeout_ms: 3 }],
  ]
  for (const [a, b, both] of cases) {
    test(`${JSON.stringify(a)} and ${JSON.stringify(b)} make ${JSON.stringify(both)}`, () => {
      assert.deepEqual(stricterApproval(a, b), both)
    })
  }
})
