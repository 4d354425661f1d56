import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { SafetyLevel } from '../../src/plan/plan.ts'
import { piiWarning, rejectedAnswer, rejectsPii } from '../../src/run/decide/gate-pii.ts'
import type { Fact } from '../../src/run/event.ts'
import { Log } from '../../src/run/log.ts'
import type { RunState, RunWarning } from '../../src/run/state.ts'
import { answered, stateWith } from './core.ts'
import { programOf, text } from './fixture.ts'

const NOW = 1_000

describe('AAIF-4.9-07: personal data that is rejected', () => {
  const counts = [
    { kind: 'email', at: '/text', count: 2 },
    { kind: 'email', at: '/x', count: 1 },
    { kind: 'phone', at: '/text', count: 1 },
  ]
  const answers: readonly (readonly [level: SafetyLevel, state: Partial<RunState>, repairs: boolean])[] = [
    ['minimal', {}, true],
    ['standard', {}, true],
    ['standard', { repairs: 1 }, false],
    ['standard', { iteration: 10 }, false],
    ['strict', {}, false],
    ['regulated', {}, false],
  ]
  for (const [level, state, repairs] of answers) {
    test(`in an answer at ${level} ${JSON.stringify(state)}: ${repairs ? 'the model repairs it' : 'refused'}`, () => {
      const program = programOf({ compliance: { safety_level: level, pii_handling: 'reject' } })
      const decision = rejectedAnswer(program, stateWith(state), counts, NOW)
      assert.equal(decision.end?.error?.code, repairs ? undefined : 'PII_REJECTED')
      assert.equal(decision.attempt?.n, repairs ? 1 : undefined)
      assert.equal(
        decision.repair,
        repairs
          ? 'Your answer holds personal data (email, phone), which must not be in it. Answer again without it.'
          : undefined,
      )
    })
  }

  const found = [{ kind: 'email', at: '/x', count: 1 }]
  const facts: readonly (readonly [fact: Fact, subject: string])[] = [
    [{ type: 'run.started', input: '', pii: found }, 'input'],
    [{ type: 'user.said', input: '', pii: found }, 'input'],
    [{ type: 'user.said', input: '', pii: [{ kind: 'email', at: '/background/0', count: 1 }] }, 'background'],
    [
      { type: 'user.said', input: '', pii: [...found, { kind: 'email', at: '/background/0', count: 1 }] },
      'input',
    ],
    [{ ...answered(1, text('')), pii: found }, 'answer'],
    [{ type: 'run.paused', by: 'ann', pii: found }, 'answer'],
    [{ type: 'call.answered', call_id: 'a', result: '', latency_ms: 1, pii: found }, 'result'],
    [{ type: 'person.decided', call_id: 'a', verdict: 'deny', by: 'ann', pii: found }, 'decision'],
    [{ type: 'judge.failed', review: 1, message: '', latency_ms: 1, pii: found }, 'message'],
  ]
  for (const [fact, subject] of facts) {
    test(`${fact.type}: the warning is about the ${subject}`, () => {
      const warning = piiWarning(programOf(), stateWith({}), fact)
      assert.deepEqual([warning?.code, warning?.about?.subject], ['PII_DETECTED', subject])
    })
  }

  const handlings: readonly (readonly [handling: string | undefined, code: string, isAbout: boolean])[] = [
    [undefined, 'PII_DETECTED', true],
    ['allow', 'PII_DETECTED', true],
    ['reject', 'PII_WITHHELD', true],
    ['anonymize', 'PII_ANONYMIZED', false],
    ['encrypt', 'PII_ENCRYPTED', false],
  ]
  for (const [handling, code, isAbout] of handlings) {
    test(`pii_handling ${handling ?? 'not given'}: ${code}`, () => {
      const program = programOf()
      const { plan } = program
      // A plan that was recorded before there was this member has none.
      const { pii: _pii, ...before } = plan
      const pii = handling === undefined ? before : { ...plan, pii: { handling: handling as 'reject' } }
      const warning = piiWarning({ ...program, plan: pii }, stateWith({}), {
        type: 'run.started',
        input: '',
        pii: found,
      })
      assert.equal(warning?.code, code)
      assert.deepEqual(warning?.about, isAbout ? { subject: 'input', counts: found } : undefined)
    })
  }

  test('a plan without the member rejects none', () => {
    const { plan, ...program } = programOf({ compliance: { pii_handling: 'reject' } })
    const { pii: _pii, ...before } = plan
    assert.deepEqual(
      [rejectsPii({ ...program, plan }), rejectsPii({ ...program, plan: before })],
      [true, false],
    )
  })

  test('without personal data there is no warning, and the same one is not given twice', () => {
    const fact: Fact = { type: 'run.started', input: '', pii: found }
    assert.equal(piiWarning(programOf(), stateWith({}), { type: 'run.started', input: '' }), null)
    assert.equal(piiWarning(programOf(), stateWith({}), { type: 'deadline.passed' }), null)
    const warning = piiWarning(programOf(), stateWith({}), fact)
    assert.ok(warning !== null)
    const given = stateWith({ warnings: Log.empty<RunWarning>().append([warning]) })
    assert.equal(piiWarning(programOf(), given, fact), null)
  })
})
