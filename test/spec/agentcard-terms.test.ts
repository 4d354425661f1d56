import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { claimedTrustTierOf, parseAgentCard } from 'waybill/spec'
import { able, errorsOf, full, having, issuesOf, isValid, plain } from './agentcard-samples.ts'

const cap = { id: 'data.timetable', description: 'Tells when ferries leave a pier.' }

describe('AgentCard §2.6 to §2.8: price, notes, goals', () => {
  const priced = (pricing: Record<string, number>) => issuesOf(having({ pricing }))
  test('CARD-2.6-01: base_cost_joules is 0, or at least the Landauer limit', () => {
    for (const cost of [0, -0, 2.855e-21, 1e-20, 1, 1e300]) {
      assert.deepEqual(priced({ base_cost_joules: cost }), [], String(cost))
    }
    assert.ok(isValid(having({ pricing: { base_cost_joules: 2.854e-21 } })))
    for (const cost of [1e-22, 2.853e-21, 5e-324]) {
      assert.deepEqual(priced({ base_cost_joules: cost }), [
        'error BELOW_LANDAUER_FLOOR /pricing/base_cost_joules CARD-2.6-01',
      ])
    }
    const [impossible] = errorsOf(having({ pricing: { base_cost_joules: 1e-22 } }))
    assert.match(impossible?.message ?? '', /physically impossible/)
    for (const cost of [-1, -1e-30]) {
      assert.deepEqual(priced({ base_cost_joules: cost }), [
        'error OUT_OF_RANGE /pricing/base_cost_joules CARD-2.6-01',
      ])
    }
  })
  test('CARD-2.6-03: the physical minimum gives the note that it is not an estimate', () => {
    assert.deepEqual(priced({ base_cost_joules: 2.854e-21 }), [
      'info COST_AT_FLOOR /pricing/base_cost_joules CARD-2.6-03',
    ])
  })
  test('CARD-2.6-04: per_token_joules is not negative, and has no other minimum', () => {
    assert.deepEqual([priced({ per_token_joules: 1.4e-24 }), priced({ per_token_joules: 0 })], [[], []])
    assert.deepEqual(priced({ per_token_joules: -1 }), [
      'error OUT_OF_RANGE /pricing/per_token_joules CARD-2.6-04',
    ])
  })
  const noted = (metadata: Record<string, string | number>) => issuesOf(having({ metadata }))
  test('CARD-2.7-02: an undefined pacr: key gives a warning; all other prefixes are allowed', () => {
    assert.deepEqual(noted({ 'pacr:mood': 1 }), [
      'warning METADATA_KEY_RESERVED /metadata/pacr:mood CARD-2.7-02',
    ])
    assert.deepEqual(noted({ 'pacr:reputation_score': 1 }), [
      'warning METADATA_KEY_RESERVED /metadata/pacr:reputation_score CARD-2.7-02',
    ])
    assert.deepEqual(noted({ 'mcp:server': 'x', 'ferry:mood': 1, mood: 2, 'PACR:x': 3 }), [])
  })
  test('CARD-2.7-03: the trust tier is one of five, under one literal key', () => {
    for (const tier of ['untrusted', 'basic', 'established', 'verified', 'banned']) {
      assert.deepEqual(noted({ 'pacr:trust_tier': tier }), [])
    }
    assert.deepEqual(noted({ 'pacr:trust_tier': 'gold' }), [
      'error NOT_IN_ENUM /metadata/pacr:trust_tier CARD-2.7-03',
    ])
    assert.deepEqual(issuesOf(having({ metadata: { pacr: { trust_tier: 'gold' } } })), [])
  })
  test('CARD-2.7-04: no trust tier means untrusted', () => {
    assert.equal(claimedTrustTierOf(parseAgentCard(plain)), 'untrusted')
    assert.equal(claimedTrustTierOf(parseAgentCard(having({ metadata: {} }))), 'untrusted')
    assert.equal(claimedTrustTierOf(parseAgentCard(full)), 'basic')
  })
  test('CARD-2.7-05: the substrate scope is a string of any content', () => {
    assert.deepEqual(noted({ 'pacr:substrate_scope': '' }), [])
    assert.deepEqual(noted({ 'pacr:substrate_scope': 5 }), [
      'error WRONG_TYPE /metadata/pacr:substrate_scope CARD-2.7-05',
    ])
  })
  const aiming = (goal: Record<string, string | number>) => issuesOf(having({ goal_subscriptions: [goal] }))
  test('CARD-2.8-01: a goal has a goal_id, and needs no description', () => {
    assert.deepEqual(aiming({ goal_id: 'on-time' }), [])
    assert.deepEqual(aiming({ description: 'd' }), [
      'error REQUIRED_MISSING /goal_subscriptions/0/goal_id CARD-2.8-01',
    ])
    assert.deepEqual(aiming({ goal_id: 1 }), ['error WRONG_TYPE /goal_subscriptions/0/goal_id CARD-2.8-01'])
  })
  test('CARD-2.8-02: a priority is from 0 to 1', () => {
    for (const priority of [0, 1, 0.5]) assert.deepEqual(aiming({ goal_id: 'g', priority }), [])
    for (const priority of [1.1, -0.1, 1.0000000000000002]) {
      assert.deepEqual(aiming({ goal_id: 'g', priority }), [
        'error OUT_OF_RANGE /goal_subscriptions/0/priority CARD-2.8-02',
      ])
    }
  })
})

test('CARD-8-08: personal data in name, descriptions and metadata gives a finding that never repeats it', () => {
  const found = (text: string) => [
    ...issuesOf(having({ name: `Clerk ${text}` })),
    ...issuesOf(able({ ...cap, description: `Ask ${text}.` })),
    ...issuesOf(having({ metadata: { deep: [{ note: text }] } })),
  ]
  const personal = [
    'ann.b@ferry.example',
    '+41 79 555 01 02',
    '+15555550123',
    '078-05-1120',
    'DE89 3704 0044 0532 0130 00',
    'GB29NWBK60161331926819',
    '4111 1111 1111 1111',
  ]
  for (const text of personal) {
    assert.deepEqual(
      found(text),
      ['/name', '/capabilities/0/description', '/metadata/deep/0/note'].map(
        (pointer) => `warning PERSONAL_DATA ${pointer} CARD-8-08`,
      ),
      text,
    )
  }
  assert.ok(!JSON.stringify(errorsOf(having({ name: personal[0] ?? '' }))).includes('ann'))
  const harmless = [
    ...['1.0.0+20260101120000', '2026-01-31', '@scope/pkg@1.2.3', 'git@host.example:a/b', '192.168.0.1'],
    ...[
      '01KA3F7Q2M8XZT5R9VNC4WB6HD',
      '4111 1111 1111 1112',
      'DE00 3704 0044 0532 0130 00',
      '1764000000000',
      '+1.5',
    ],
  ]
  for (const text of harmless) assert.deepEqual(found(text), [], text)
  assert.deepEqual(issuesOf(having({ metadata: { operator_name: 'Ann B.' } })), [
    'info PERSONAL_DATA /metadata/operator_name CARD-8-08',
  ])
  assert.deepEqual(issuesOf(having({ 'x-note': 'ann.b@ferry.example' })), [], 'other members are not meant')
})
