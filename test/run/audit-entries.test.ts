import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import type { Plan } from '../../src/plan/plan.ts'
import { parseCallRule } from '../../src/policy/approval/call-rule.ts'
import type { Decision, Fact, RunEvent } from '../../src/run/event.ts'
import { auditFacts, isAudited } from '../../src/run/record/audit-facts.ts'
import { auditLeg } from '../../src/run/record/audit-leg.ts'
import { encodeEvent } from '../../src/run/record/event-line.ts'
import type { CallEntry, ModelAttempt } from '../../src/run/state.ts'
import { planOf, SETTINGS } from './fixture.ts'

const NOON = '2026-03-01T12:00:00.000Z'
const PLAN = planOf()
const digest = (text: string) => createHash('sha256').update(text, 'utf8').digest('hex')

function eventOf(fact: Fact, decision: Decision = {}): RunEvent {
  return { seq: 4, at: Date.parse(NOON), fact, decision }
}

/** The members of an audit entry that are specific to its event. */
function particularsOf(fact: Fact, decision: Decision = {}, plan: Plan = PLAN): object {
  const event = eventOf(fact, decision)
  const entry = auditFacts([event], plan, { run_id: 'r1' })[0]
  assert.ok(entry)
  const { at, run_id, agent_id, seq, event: eventDigest, kind, ...particulars } = entry
  assert.deepEqual([at, run_id, agent_id, seq], [NOON, 'r1', PLAN.agent_id, 4])
  assert.equal(eventDigest, digest(encodeEvent(event)))
  if (decision.end?.status !== 'refused') assert.equal(kind, fact.type)
  return particulars
}

const callOf = (id: string, more: Partial<CallEntry> = {}): CallEntry => ({
  id,
  tool: 'send',
  args: { x: 42 },
  key: `key-${id}`,
  effect: 'once',
  status: 'asking',
  ...more,
})
const entryOf = (id: string) => ({
  id,
  tool: 'send',
  status: 'asking',
  effect: 'once',
  arguments: digest('{"x":42}'),
})
const attemptOn = (route: number): ModelAttempt => ({ n: 1, route, retry: 0, delay_ms: 0, failed: [] })

const PASSED: Fact = { type: 'deadline.passed' }
const BEGINS: Fact = { type: 'run.started', input: 'hello' }
const DENIED = { type: 'person.decided', call_id: 'c1', verdict: 'deny', by: 'ann' } as const

describe('AAIF §4.9: the audit entry of an event', () => {
  const table: readonly (readonly [name: string, fact: Fact, decision: Decision, expected: object])[] = [
    ['no particulars', PASSED, {}, {}],
    ['the first event', BEGINS, {}, { plan: 'a'.repeat(64), safety_level: PLAN.safety_level }],
    ['who paused it', { type: 'run.paused', by: 'ann' }, {}, { by: 'ann' }],
    ['which call waits', { type: 'call.held', call_id: 'c1' }, {}, { call: 'c1' }],
    ['a verdict', DENIED, {}, { call: 'c1', by: 'ann', verdict: 'deny' }],
    [
      'a verdict with its reason and its standing grant',
      { ...DENIED, why: 'too dear', grant: 'g-1' },
      {},
      { call: 'c1', by: 'ann', verdict: 'deny', why: 'too dear', grant: 'g-1' },
    ],
    ['the first route', PASSED, { attempt: attemptOn(0) }, { route: 'openai/gpt-4o' }],
    ['the second route', PASSED, { attempt: attemptOn(1) }, { route: 'anthropic/claude-sonnet-4-5' }],
    ['new calls', PASSED, { calls: [callOf('c1')] }, { calls: [entryOf('c1')] }],
    ['added calls', PASSED, { add: [callOf('c1')] }, { calls: [entryOf('c1')] }],
    ['judged calls', PASSED, { judged: [callOf('c1')] }, { calls: [entryOf('c1')] }],
    ['no calls', PASSED, { calls: [], add: [], judged: [] }, {}],
    [
      'calls of each kind',
      PASSED,
      { calls: [callOf('c1')], add: [callOf('c2')], judged: [callOf('c3')] },
      { calls: [entryOf('c1'), entryOf('c2'), entryOf('c3')] },
    ],
    [
      'broken constraints, without the words of the judge',
      PASSED,
      { breaches: [{ constraint: 'Be kind.', why: 'it was rude' }] },
      { breaches: ['Be kind.'] },
    ],
    [
      'an end',
      PASSED,
      { end: { status: 'completed', stop_reason: 'final', output: 'secret' } },
      { status: 'completed', stop_reason: 'final' },
    ],
    [
      'an end with an error',
      PASSED,
      { end: { status: 'failed', stop_reason: 'error', error: { code: 'RUN_IMPORTED', message: 'secret' } } },
      { status: 'failed', stop_reason: 'error', code: 'RUN_IMPORTED' },
    ],
    [
      'an end with an error and its rule',
      PASSED,
      {
        end: {
          status: 'failed',
          stop_reason: 'budget',
          error: { code: 'CONCURRENCY_EXCEEDED', message: 'secret', rule: 'AAIF-4.6-03' },
        },
      },
      { status: 'failed', stop_reason: 'budget', code: 'CONCURRENCY_EXCEEDED', rule: 'AAIF-4.6-03' },
    ],
    [
      'an end that waits for calls',
      PASSED,
      { ending: { status: 'cancelled', stop_reason: 'interrupt' } },
      { ending: 'cancelled' },
    ],
    [
      'an end that waits for calls, with an error',
      PASSED,
      { ending: { status: 'failed', stop_reason: 'error', error: { code: 'RUN_IMPORTED', message: 'x' } } },
      { ending: 'RUN_IMPORTED' },
    ],
  ]
  for (const [name, fact, decision, expected] of table)
    test(name, () => assert.deepEqual(particularsOf(fact, decision), expected))

  test('a route is named by the id that the definition gives its provider', () => {
    const models = PLAN.models.map((model) => ({ ...model, provider_id: 'our-proxy' }))
    const found = particularsOf(PASSED, { attempt: attemptOn(0) }, { ...PLAN, models })
    assert.deepEqual(found, { route: 'our-proxy/gpt-4o' })
  })

  test('the first event names the extensions that the agent needs, and only the first does', () => {
    const plan = { ...PLAN, extensions: [{ name: 'ours.one' }, { name: 'ours.two' }] } as unknown as Plan
    assert.deepEqual(particularsOf(PASSED, {}, plan), {})
    assert.deepEqual(particularsOf(BEGINS, {}, plan), {
      plan: 'a'.repeat(64),
      safety_level: PLAN.safety_level,
      extensions: ['ours.one', 'ours.two'],
    })
  })

  test('it names the user if there is one', () => {
    const events = [eventOf(PASSED)]
    assert.equal(auditFacts(events, PLAN, { run_id: 'r1', user: 'ann' })[0]?.user, 'ann')
    assert.equal('user' in (auditFacts(events, PLAN, { run_id: 'r1' })[0] ?? {}), false)
  })

  for (const [status, kind] of [
    ['refused', 'run.refused'],
    ['failed', 'run.started'],
    ['completed', 'run.started'],
    ['cancelled', 'run.started'],
  ] as const)
    test(`a run that is ${status} with its first event: ${kind}`, () => {
      const event = eventOf(BEGINS, { end: { status, stop_reason: 'error' } })
      assert.equal(auditFacts([event], PLAN, { run_id: 'r1' })[0]?.kind, kind)
    })
})

describe('AAIF-7-10: which events are audited', () => {
  const refused = eventOf(BEGINS, { end: { status: 'refused', stop_reason: 'error' } })
  const failed = eventOf(BEGINS, { end: { status: 'failed', stop_reason: 'error' } })
  const other = eventOf(PASSED)
  for (const [name, plan, events, expected] of [
    ['an agent that asks for a log: all', { audit: true, safety_level: 'standard' }, [other], true],
    ['a regulated agent: a refusal', { audit: false, safety_level: 'regulated' }, [refused], true],
    [
      'a regulated agent: a refusal among others',
      { audit: false, safety_level: 'regulated' },
      [other, refused],
      true,
    ],
    ['a regulated agent: not a failure', { audit: false, safety_level: 'regulated' }, [failed, other], false],
    ['a regulated agent: not without events', { audit: false, safety_level: 'regulated' }, [], false],
    ['another agent: no refusal', { audit: false, safety_level: 'standard' }, [refused], false],
  ] as const)
    test(name, () => assert.equal(isAudited({ ...PLAN, ...plan }, events), expected))
})

describe('AAIF §4.9: what the audit log says before a leg', () => {
  const audited: Plan = { ...PLAN, audit: true }
  const header = { run_id: 'r1', user: 'ann', definition_file: '/agents/clerk.yaml' }

  test('the root has a file, a sub-agent has none; an unsigned definition differs from an unchecked one', () => {
    const signed: Plan = {
      ...audited,
      agent_id: 'sub',
      signature: { policy: 'require', status: 'valid', signer: 'key-1', reason: 'fine' },
    }
    const unsigned: Plan = {
      ...signed,
      signature: { policy: 'ignore', status: 'unsigned', reason: 'it has none' },
    }
    const shown = auditLeg(BEGINS, [audited, signed, unsigned], header, SETTINGS).slice(0, -1)
    assert.deepEqual(
      shown.map(({ kind, run_id, user, source, signature, signer }) => [
        kind,
        run_id,
        user,
        source,
        signature,
        signer,
      ]),
      [
        ['definition.imported', 'r1', 'ann', '/agents/clerk.yaml', 'unchecked', undefined],
        ['definition.imported', 'r1', 'ann', undefined, 'valid', 'key-1'],
        ['definition.imported', 'r1', 'ann', undefined, 'unsigned', undefined],
      ],
    )
  })

  test('unknown values have no member', () => {
    const [imported, granted] = auditLeg(BEGINS, [audited], { run_id: 'r1' }, SETTINGS)
    assert.deepEqual(Object.keys(imported ?? {}).sort(), [
      'agent_id',
      'at',
      'definition',
      'kind',
      'run_id',
      'safety_level',
      'signature',
    ])
    const { at, ...rest } = granted ?? {}
    assert.deepEqual(rest, {
      kind: 'grants.in_force',
      run_id: 'r1',
      hosts: [],
      secrets: [],
      keys: [],
      calls: [],
    })
  })

  test('standing grants of each kind are written as on the command line', () => {
    const host = { host: 'depot.example', private: false, source: 'config' } as const
    const settings = {
      ...SETTINGS,
      grants: { hosts: [host, { ...host, port: 8443, source: 'flag' as const }] },
      secret_grants: [{ name: 'TOKEN', host: 'depot.example' }],
      key_bindings: { openai: ['https://a.example', 'https://b.example'] },
      allowed_calls: [parseCallRule('refund amount<=50')],
    }
    const granted = auditLeg({ type: 'run.resumed', by: 'ann' }, [audited], header, settings)
    assert.deepEqual(
      granted.map(({ at, ...rest }) => rest),
      [
        {
          kind: 'grants.in_force',
          run_id: 'r1',
          user: 'ann',
          hosts: ['depot.example (config)', 'depot.example:8443 (flag)'],
          secrets: ['TOKEN@depot.example'],
          keys: ['openai@https://a.example', 'openai@https://b.example'],
          calls: ['refund amount<=50'],
        },
      ],
    )
  })
})
