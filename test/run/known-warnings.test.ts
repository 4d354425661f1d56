import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PiiCount } from '../../src/policy/pii/clean-json.ts'
import { isKnownWarning } from '../../src/run/decide/is-known-warning.ts'
import type { Fact } from '../../src/run/event.ts'
import { Log } from '../../src/run/log.ts'
import type { RunState, RunWarning } from '../../src/run/state.ts'
import { answered, decisionOn, START, stateAfter } from './core.ts'
import { calls, programOf, text } from './fixture.ts'

/** Returns the same run with other wordings of its warnings, as an older version may have written them. */
function reworded(state: RunState): RunState {
  const warnings = state.warnings.toArray().map((warning) => ({ ...warning, message: 'in other words' }))
  return { ...state, warnings: Log.empty<RunWarning>().append(warnings) }
}

function codesOf(warnings: readonly RunWarning[] | undefined): readonly string[] {
  return (warnings ?? []).map(({ code }) => code)
}

const BROKEN: Fact = {
  type: 'model.failed',
  attempt: 1,
  kind: 'route',
  code: 'MODEL_KEY_REFUSED',
  message: '401',
  latency_ms: 1,
}
const LOOK = calls(['a', 'look', { x: 1 }])
const LOOKED: Fact = { type: 'call.answered', call_id: 'a', result: 1, latency_ms: 1 }

describe('a warning is given once, even if its wording differs', () => {
  const given: RunWarning = { code: 'MODEL_WARNING', message: 'one', about: { model: 'x' } }
  const cases: readonly (readonly [rule: string, warning: RunWarning, known: boolean])[] = [
    ['the same code and subject', { ...given, message: 'two' }, true],
    ['another code', { ...given, code: 'PII_DETECTED' }, false],
    ['another subject', { ...given, about: { model: 'y' } }, false],
    ['no subject', { code: 'MODEL_WARNING', message: 'one' }, false],
  ]
  for (const [rule, warning, known] of cases) {
    test(`${rule}: ${known ? 'known' : 'new'}`, () => {
      const state = { ...stateAfter(programOf(), []), warnings: Log.empty<RunWarning>().append([given]) }
      assert.equal(isKnownWarning(state, warning), known)
    })
  }

  test('AAIF-3-01: MODEL_SUBSTITUTED once for each pair of models', () => {
    const program = programOf()
    const first = stateAfter(program, [START, BROKEN, answered(2, LOOK)])
    const [warning] = first.warnings.toArray()
    assert.deepEqual(warning?.about, { model: 'anthropic/claude-sonnet-4-5', replaces: 'openai/gpt-4o' })
    const again = reworded(stateAfter(program, [START, BROKEN, answered(2, LOOK), LOOKED]))
    assert.deepEqual(codesOf(decisionOn(program, again, answered(3, text('ok')))?.warnings), [])
    const other = { ...again, warnings: Log.empty<RunWarning>() }
    assert.deepEqual(codesOf(decisionOn(program, other, answered(3, text('ok')))?.warnings), [
      'MODEL_SUBSTITUTED',
    ])
  })

  const found = (count: number): readonly PiiCount[] => [{ kind: 'email', at: '/input', count }]
  const said = (count: number): Fact => ({ type: 'user.said', input: 'again', pii: found(count) })
  const handlings: readonly (readonly [
    handling: string,
    same: readonly string[],
    more: readonly string[],
  ])[] = [
    ['detect', [], ['PII_DETECTED']],
    ['reject', [], ['PII_WITHHELD']],
    ['anonymize', [], []],
  ]
  for (const [handling, same, more] of handlings) {
    test(`personal data, ${handling}: once for the same finding`, () => {
      const program = programOf({ compliance: { pii_handling: handling } })
      const start: Fact = { type: 'run.started', input: 'hello', pii: found(1) }
      const facts = handling === 'reject' ? [start] : [start, answered(1, text('hi'))]
      const state = reworded(stateAfter(program, facts))
      assert.equal(state.warnings.length, 1)
      assert.deepEqual(codesOf(decisionOn(program, state, said(1))?.warnings), same)
      assert.deepEqual(codesOf(decisionOn(program, state, said(2))?.warnings), more)
    })
  }

  test('a warning of the provider is compared by its own text', () => {
    const program = programOf()
    const noted = (note: string) => ({ ...LOOK, warnings: [note] })
    const state = stateAfter(program, [START, answered(1, noted('no seed')), LOOKED])
    for (const [note, codes] of [
      ['no seed', []],
      ['no top_p', ['MODEL_WARNING']],
    ] as const) {
      assert.deepEqual(codesOf(decisionOn(program, state, answered(2, noted(note)))?.warnings), codes)
    }
  })
})
