import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Json } from '../../src/document/json.ts'
import type { PlannedOrchestration } from '../../src/plan/planned-orchestration.ts'
import { afterHandoff, handOffOr } from '../../src/run/decide/hand-off.ts'
import { beginOrchestration, continueOrchestration } from '../../src/run/decide/orchestrate.ts'
import { afterStep, startStep } from '../../src/run/decide/pipeline.ts'
import { finishWith, finishWithLast, subagentsFailed } from '../../src/run/decide/subagent-results.ts'
import type { Decision } from '../../src/run/event.ts'
import type { CallEntry, Stage } from '../../src/run/state.ts'
import { agentWith, answered, failed, type Options, orchestrationOf, state, worker } from './agent-with.ts'
import { callWith, withPlan } from './core.ts'
import { programOf } from './fixture.ts'

const NOW = 1_000

/** The decision if no hand-off fires. */
const NO_HANDOFF: Decision = {}

describe('the result of sub-agents as the output of a run', () => {
  const number = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }
  const cases: readonly {
    readonly rule: string
    readonly options: Options
    readonly result: Json
    readonly output?: Json
    readonly error?: RegExp
    readonly warned?: true
  }[] = [
    { rule: 'a text is the output', options: {}, result: 'x', output: 'x' },
    { rule: 'data stays data', options: {}, result: { n: 1 }, output: { n: 1 } },
    { rule: 'data that fits the schema', options: { output: number }, result: { n: 1 }, output: { n: 1 } },
    { rule: 'a text that fits the schema', options: { output: number }, result: '{"n":1}', output: { n: 1 } },
    {
      rule: 'a result that does not fit the schema ends the run',
      options: { output: number },
      result: { n: 'x' },
      error: /^the output of the sub-agents is not what the agent promises: /,
    },
    {
      rule: 'a result that does not fit the schema is kept with a warning in a rehearsal',
      options: { output: number, rehearsal: true },
      result: { n: 'x' },
      output: { n: 'x' },
      warned: true,
    },
    {
      rule: 'a result that fits the schema is kept in a rehearsal',
      options: { output: number, rehearsal: true },
      result: { n: 1 },
      output: { n: 1 },
    },
  ]
  for (const { rule, options, result, output, error, warned } of cases) {
    test(rule, () => {
      const decision = finishWith(agentWith({}, options), result)
      assert.equal(decision.clear, true)
      assert.equal(decision.stage, error === undefined ? null : undefined)
      assert.deepEqual(decision.end?.output, output)
      assert.match(decision.end?.error?.message ?? '', error ?? /^$/)
      assert.deepEqual(
        (decision.warnings ?? []).map(({ code }) => code),
        warned === true ? ['OUTPUT_INVALID'] : [],
      )
    })
  }

  test('with the format json and no schema the output is the text of the JSON', () => {
    const program = programOf()
    const json = withPlan(program, { output: { ...program.plan.output, format: 'json' } })
    assert.equal(finishWith(json, '```json\n{"n":1}\n```').end?.output, '{"n":1}')
    assert.equal(finishWith(json, { n: 1 }).end?.output, '{"n":1}')
  })

  test('of one sub-agent: its result, or its failure', () => {
    const program = agentWith({})
    assert.equal(finishWithLast(program, [failed('a'), answered('b')]).end?.output, 'from b')
    assert.equal(finishWithLast(program, [worker('a', { status: 'done' })]).end?.output, null)
    const broken = finishWithLast(program, [failed('a')])
    assert.deepEqual([broken.end?.error?.message, broken.clear], ['the sub-agent a: it broke', true])
    assert.equal(finishWithLast(program, []).end?.error?.code, 'SUBAGENT_FAILED')
  })

  test('failures are listed, and the first of them names its run', () => {
    const list = [answered('x'), failed('a'), failed('b')]
    const { error } = subagentsFailed(list)
    assert.equal(error?.message, 'every sub-agent failed: a: it broke; b: it broke')
    assert.equal(error?.hint, 'see its run: waybill runs show run-2')
    const unplanned = subagentsFailed([callWith({ tool: 'gone', error: true, result: { x: 1 } })]).error
    assert.equal(unplanned?.message, 'the sub-agent gone: {"x":1}')
    assert.equal(unplanned?.hint, 'see the plan for why it cannot be called')
  })
})

describe('AAIF §4.3 the steps of a pipeline', () => {
  const program = agentWith({ mode: 'pipeline', steps: ['a', 'b'] })
  const own = orchestrationOf(program)
  const go = (step: number, calls: readonly CallEntry[]) => afterStep(program, state(), own, step, calls)

  test('a step is called with its input', () => {
    const { stage, clear, add, end } = startStep(program, state(), own, 1, { x: 1 })
    assert.deepEqual([stage, clear, end], [{ type: 'pipeline', step: 1 }, true, undefined])
    assert.deepEqual(
      add?.map(({ id, tool, status, agent }) => [id, tool, status, agent?.input]),
      [['step1', 'b', 'sent', { x: 1 }]],
    )
  })

  test('AAIF-4.3-03: a step that names no sub-agent ends the run', () => {
    assert.equal(startStep(program, state(), own, 2, null).end?.error?.code, 'SUBAGENT_UNRESOLVED')
  })

  test('a step that cannot be called ends the run', () => {
    const broken = agentWith({ mode: 'pipeline', steps: ['gone'] })
    const { end, add } = startStep(broken, state(), orchestrationOf(broken), 0, null)
    assert.deepEqual([end?.error?.code, add?.[0]?.status], ['SUBAGENT_FAILED', 'done'])
  })

  test('a running step is waited for', () => assert.deepEqual(go(0, [worker('a')]), {}))
  test('the result of a step is the input of the next', () => {
    const { add } = go(0, [answered('a', { n: 1 })])
    assert.deepEqual([add?.[0]?.id, add?.[0]?.agent?.input], ['step1', { n: 1 }])
    assert.equal(go(0, [worker('a', { status: 'done' })]).add?.[0]?.agent?.input, null)
  })
  test('the result of the last step is the output', () =>
    assert.equal(go(1, [answered('b')]).end?.output, 'from b'))
  test('a failed step ends the run', () =>
    assert.equal(go(0, [failed('a')]).end?.error?.code, 'SUBAGENT_FAILED'))
  test('a step without a call ends the run', () =>
    assert.equal(go(0, []).end?.error?.code, 'SUBAGENT_FAILED'))
})

describe('AAIF §4.3 hand-offs', () => {
  const when = (expr: string, target: string, more: object = {}) => ({
    condition: { lang: 'cel', expr },
    target,
    pass_context: false,
    pass_memory: false,
    ...more,
  })
  const program = agentWith({
    mode: 'model',
    handoffs: [
      when('output == "x"', 'a'),
      when('output == "x"', 'b', { pass_context: true, pass_memory: true }),
      when('output == "z"', 'nobody'),
      when('output == "z"', 'gone'),
    ],
  })
  const due = (output: string, handed_off: readonly number[] = []) =>
    handOffOr(program, state({ handed_off }), output, () => NO_HANDOFF)

  test('an agent without sub-agents has no hand-off', () =>
    assert.equal(
      handOffOr(programOf(), state(), 'x', () => NO_HANDOFF),
      NO_HANDOFF,
    ))
  test('if no condition is true, no hand-off fires', () => assert.equal(due('y'), NO_HANDOFF))
  test('the first hand-off whose condition is true fires', () => {
    const decision = due('x')
    assert.deepEqual([decision?.stage, decision?.handed_off], [{ type: 'handoff', rule: 0 }, 0])
    const { id, tool, agent } = decision?.add?.[0] ?? {}
    assert.deepEqual([id, tool, agent?.pass_context, agent?.memory], ['handoff0', 'a', false, undefined])
  })
  test('a hand-off that fired in this turn does not fire again', () => {
    const { id, tool, agent } = due('x', [0])?.add?.[0] ?? {}
    assert.deepEqual(
      [id, tool, agent?.pass_context, agent?.memory],
      ['handoff1', 'b', true, { type: 'long_term' }],
    )
    assert.equal(due('x', [0, 1]), NO_HANDOFF)
  })
  test('a target that the plan does not list is skipped, one that cannot be called ends the run', () => {
    const decision = due('z')
    assert.deepEqual([decision?.handed_off, decision?.end?.error?.code], [3, 'SUBAGENT_FAILED'])
  })
  test('a rule that the plan does not list does not fire', () => {
    const { plan } = program
    const less = {
      ...program,
      plan: { ...plan, orchestration: { ...orchestrationOf(program), handoffs: [] } },
    }
    assert.equal(
      handOffOr(less, state(), 'x', () => NO_HANDOFF),
      NO_HANDOFF,
    )
  })
  test('the result of the agent that took over is the output', () => {
    assert.deepEqual(afterHandoff(program, [worker('a')]), {})
    assert.equal(afterHandoff(program, [answered('a')]).end?.output, 'from a')
  })
})

describe('the stages of an orchestration', () => {
  const modes: readonly (readonly [mode: PlannedOrchestration['mode'], stage: Stage | undefined])[] = [
    ['model', undefined],
    ['pipeline', { type: 'pipeline', step: 0 }],
    ['swarm', { type: 'swarm', phase: 'work' }],
    ['router', { type: 'route' }],
  ]
  for (const [mode, stage] of modes) {
    test(`${mode} begins ${stage === undefined ? 'with the own model' : `at ${JSON.stringify(stage)}`}`, () => {
      const program = agentWith({ mode, steps: ['a'] })
      assert.deepEqual(beginOrchestration(program, state(), NOW)?.stage, stage)
    })
  }

  test('an agent without sub-agents begins with its own model', () =>
    assert.equal(beginOrchestration(programOf(), state(), NOW), null))

  const stages: readonly (readonly [stage: Stage, calls: readonly CallEntry[], output: Json])[] = [
    [{ type: 'pipeline', step: 0 }, [answered('a')], 'from a'],
    [{ type: 'swarm', phase: 'work' }, [answered('a')], 'from a'],
    [{ type: 'swarm', phase: 'merge' }, [answered('a'), answered('b')], 'from b'],
    [{ type: 'route' }, [answered('a'), failed('b')], 'from a'],
    [{ type: 'handoff', rule: 0 }, [answered('a'), answered('b')], 'from b'],
  ]
  for (const [stage, calls, output] of stages) {
    test(`${JSON.stringify(stage)} ends with ${output}`, () => {
      const program = agentWith({ steps: ['a'] })
      assert.equal(continueOrchestration(program, state({ stage }), calls, NOW).end?.output, output)
    })
  }

  test('without a stage or without sub-agents nothing follows', () => {
    const stage: Stage = { type: 'route' }
    assert.deepEqual(continueOrchestration(agentWith({}), state(), [answered('a')], NOW), {})
    assert.deepEqual(continueOrchestration(programOf(), state({ stage }), [answered('a')], NOW), {})
  })
})
