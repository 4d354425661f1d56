import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { PlannedModel } from '../../src/plan/plan.ts'
import { withRoute } from '../../src/run/decide/next-question.ts'
import type { Decision } from '../../src/run/event.ts'
import type { RouteSight } from '../../src/run/ports.ts'
import type { RunState } from '../../src/run/state.ts'
import { START, stateWith } from './core.ts'
import { model, NOW, programWith } from './route-plans.ts'

const first = { n: 1, route: 0, retry: 0, delay_ms: 0, failed: [], why: 'first in declared order' }

describe('the final route of a question', () => {
  const windows = [model('a', { context_window: 100 }), model('b', { context_window: 1_000 })]
  const asked: Decision = { attempt: first, deadline_at: 7 }
  const counted = (tokens: number): Partial<RunState> => ({ counted: { tokens, messages: 0 } })
  const well = [
    { turn: 1, failures: 0 },
    { turn: 1, failures: 0 },
  ]
  const resting = [
    { turn: 1, failures: 3, closed_until: NOW + 1 },
    { turn: 1, failures: 0 },
  ]
  const cases: readonly {
    readonly rule: string
    readonly models?: readonly PlannedModel[]
    readonly state?: Partial<RunState>
    readonly decision?: Decision
    readonly sights?: readonly RouteSight[]
    /** Absent: the decision stays as it is. */
    readonly route?: number | null
  }[] = [
    { rule: 'a decision that asks no model', decision: { deadline_at: 7 }, sights: resting },
    { rule: 'a retry', decision: { attempt: { ...first, retry: 1 } }, sights: resting },
    {
      rule: 'a route that was taken after a failure',
      decision: { attempt: { ...first, failed: [{ route: 1, code: 'MODEL_ERROR', message: 'x' }] } },
      sights: resting,
    },
    { rule: 'no windows and no observations', state: counted(9e9) },
    {
      rule: 'a window of a model that may not be used',
      models: [model('a'), model('b', { eligible: false, context_window: 1 })],
      state: counted(9e9),
    },
    { rule: 'observations: the first is available', sights: well, route: 0 },
    { rule: 'observations: the first is closed after failures', sights: resting, route: 1 },
    { rule: 'windows: the first is large enough', models: windows, state: counted(50), route: 0 },
    {
      rule: 'windows: the first is too small, and the other is not known',
      models: [model('a', { context_window: 100 }), model('b')],
      state: counted(101),
      route: 1,
    },
    { rule: 'windows: the first is too small', models: windows, state: counted(101), route: 1 },
    { rule: 'windows: each is too small', models: windows, state: counted(1_001), route: null },
  ]
  for (const { rule, models, state = {}, decision = asked, sights, route } of cases) {
    test(`${rule}: ${route === undefined ? 'no change' : route === null ? 'no route' : `route ${route}`}`, () => {
      const program = programWith(models === undefined ? {} : { models })
      const before = stateWith({ down: {}, ...state })
      const after = withRoute(program, before, { type: 'deadline.passed' }, decision, { at: NOW, sights })
      if (route === undefined) return assert.equal(after, decision)
      assert.equal(after.deadline_at, 7)
      assert.equal(after.attempt?.route ?? null, route)
      assert.equal(after.attempt?.n, route === null ? undefined : 1)
      assert.equal(after.end?.error?.code, route === null ? 'NO_ROUTE' : undefined)
    })
  }

  test('the messages that the decision adds count as well', () => {
    const program = programWith({ models: windows })
    const say = 'word '.repeat(200)
    const before = stateWith(counted(0))
    const after = withRoute(program, before, START, { attempt: first, say }, { at: NOW })
    assert.equal(after.attempt?.route, 1)
    assert.ok((after.attempt?.prompt_tokens ?? 0) > 100)
    assert.equal(after.attempt?.skipped?.[0]?.route, 0)
  })
})
