import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '../../src/document/json.ts'
import type { PlannedTool, Program } from '../../src/plan/plan.ts'
import { openRound, passed } from '../../src/run/decide/open-round.ts'
import { settleIfDone } from '../../src/run/decide/settle-round.ts'
import { callAnswered } from '../../src/run/decide/take-result.ts'
import { Log } from '../../src/run/log.ts'
import type { CallEntry, Message, RunState, ToolCall } from '../../src/run/state.ts'
import { agentWith, orchestrationOf, worker } from './agent-with.ts'
import { ASKS, callWith, JUDGE, stateWith, toolCall, withPlan, withTool } from './core.ts'
import { programOf } from './fixture.ts'

const NOW = 1_000

const open = callWith({ id: 'z' })

describe('a call of the model before it leaves', () => {
  const plain = programOf()
  const rejects = programOf({ compliance: { pii_handling: 'reject' } })
  const cases: readonly {
    readonly rule: string
    readonly program?: Program
    readonly call: ToolCall
    readonly status: CallEntry['status']
    readonly result?: RegExp
  }[] = [
    { rule: 'a write', call: toolCall('send'), status: 'sent' },
    {
      rule: 'an unknown tool',
      call: toolCall('fly'),
      status: 'done',
      result: /^there is no tool named fly; the tools are: look, send$/,
    },
    {
      rule: 'without any tool',
      program: programOf({ tools: [] }),
      call: toolCall('fly'),
      status: 'done',
      result: /the tools are: none$/,
    },
    {
      rule: 'a tool that is denied with a reason',
      program: withTool(plain, 'send', { gate: 'deny', reason: 'it changed' }),
      call: toolCall('send'),
      status: 'done',
      result: /^the tool send may not be used: it changed$/,
    },
    {
      rule: 'arguments that are not an object',
      call: toolCall('send', { malformed: '{' }),
      status: 'done',
      result: /not a JSON object/,
    },
    {
      rule: 'arguments that do not fit the schema',
      call: toolCall('send', { args: { x: 'y' } }),
      status: 'done',
      result: /^the arguments do not match the tool's schema, so the tool was not called: /,
    },
    {
      rule: 'arguments that fit with their real values',
      call: toolCall('send', { args: { x: 'y' }, fits: true }),
      status: 'sent',
    },
    { rule: 'personal data where it is allowed', call: toolCall('send', { personal: true }), status: 'sent' },
    {
      rule: 'personal data where it is rejected',
      program: rejects,
      call: toolCall('send', { personal: true }),
      status: 'done',
      result: /^PII_REJECTED/,
    },
    {
      rule: 'no personal data where it is rejected',
      program: rejects,
      call: toolCall('send'),
      status: 'sent',
    },
    {
      rule: 'a write that needs approval',
      program: programOf(ASKS),
      call: toolCall('send'),
      status: 'asking',
    },
    {
      rule: 'a write that the judge must see',
      program: programOf({ constraints: ['Be kind.'] }, JUDGE),
      call: toolCall('send'),
      status: 'judging',
    },
    {
      rule: 'a read that the judge need not see',
      program: programOf({ constraints: ['Be kind.'] }, JUDGE),
      call: toolCall('look'),
      status: 'sent',
    },
    {
      rule: 'a write whose trigger for approval does not hold',
      program: programOf({
        compliance: { human_in_the_loop: { enabled: true, trigger: { lang: 'cel', expr: 'args.x == 2' } } },
      }),
      call: toolCall('send'),
      status: 'sent',
    },
    {
      rule: 'a call that a rule forbids, with arguments that are not an object',
      program: programOf({ constraints: ['Never call send.'] }),
      call: toolCall('send', { malformed: '{' }),
      status: 'done',
      result: /not a JSON object/,
    },
    {
      rule: 'a call that a rule forbids',
      program: programOf({ constraints: ['Never call send.'] }),
      call: toolCall('send'),
      status: 'done',
      result:
        /^the tool was not called, because the call breaks the rule "Never call send\.": send must never be called$/,
    },
  ]
  for (const { rule, program = plain, call, status, result } of cases) {
    test(`${rule}: ${status}`, () => {
      const decision = openRound(program, stateWith({ iteration: 2, reviews: 4 }), [call], NOW)
      const [entry] = decision.calls ?? []
      assert.equal(entry?.status, status)
      assert.match(String(entry.result ?? ''), result ?? /^$/)
      assert.equal(entry.error, status === 'done' ? true : undefined)
      assert.equal(entry.key, 'run-1:1.2:a')
      assert.equal(decision.settle, status === 'done' ? true : undefined)
      assert.equal(decision.warnings, undefined)
      assert.deepEqual(decision.review, status === 'judging' ? { n: 5, subject: 'calls' } : undefined)
      assert.equal(decision.breaches?.length, rule === 'a call that a rule forbids' ? 1 : undefined)
    })
  }

  const denied = withPlan(plain, {
    tools: plain.plan.tools.map(({ reason: _reason, ...tool }) => ({ ...tool, gate: 'deny' })),
  })
  test('a tool that is denied without a reason gives an error with a default reason', () => {
    const [entry] = openRound(denied, stateWith({}), [toolCall('send')], NOW).calls ?? []
    assert.equal(entry?.result, 'the tool send may not be used: not granted')
  })

  const effects: readonly (readonly [members: Partial<PlannedTool>, effect: CallEntry['effect']])[] = [
    [{ effect: 'read', idempotent: false }, 'none'],
    [{ effect: 'read', idempotent: true }, 'none'],
    [{ effect: 'write', idempotent: true }, 'idempotent'],
    [{ effect: 'write', idempotent: false }, 'once'],
  ]
  for (const [members, effect] of effects) {
    test(`a tool with ${JSON.stringify(members)} has the effect ${effect}`, () => {
      const program = withTool(plain, 'send', members)
      assert.equal(openRound(program, stateWith({}), [toolCall('send')], NOW).calls?.[0]?.effect, effect)
    })
  }

  const hooks: readonly (readonly [hooks: JsonObject, unasked: true | undefined])[] = [
    [{}, undefined],
    [{ on_start: 'f' }, undefined],
    [{ on_start: 'f', on_tool_call: 'g' }, true],
  ]
  for (const [events, unasked] of hooks) {
    test(`with the hooks ${Object.keys(events).join(', ') || 'none'} it is ${unasked ? 'held for the hook' : 'free'}`, () => {
      const program = programOf({ events })
      assert.equal(openRound(program, stateWith({}), [toolCall('look')], NOW).calls?.[0]?.unasked, unasked)
    })
  }

  const budgets: readonly (readonly [
    budget: number | undefined,
    given: number | undefined,
    ends: boolean,
  ])[] = [
    [undefined, undefined, false],
    [7, undefined, false],
    [6, undefined, true],
    [undefined, 6, true],
    [9, 7, false],
  ]
  for (const [calls, given, ends] of budgets) {
    test(`two calls after five, with a budget of ${calls} and ${given} from the caller: ${ends ? 'none leaves' : 'both leave'}`, () => {
      const program = programOf({}, calls === undefined ? {} : { budget: { calls } })
      const state = stateWith({
        totals: { ...stateWith({}).totals, llm_calls: 3, tool_calls: 2 },
        ...(given !== undefined && { limits: { calls: given } }),
      })
      // The third is refused, so it does not count.
      const round = [toolCall('look'), toolCall('look', { id: 'b' }), toolCall('fly', { id: 'c' })]
      const decision = openRound(program, state, round, NOW)
      assert.equal(decision.calls?.length, ends ? undefined : 3)
      assert.equal(
        decision.end?.error?.message,
        ends ? 'the budget of calls does not cover this answer: 5 of 6 used, 2 more needed' : undefined,
      )
    })
  }

  test('a judge sees the calls of an answer of which one must be judged', () => {
    const program = programOf({ constraints: ['Be kind.'] }, JUDGE)
    const round = [toolCall('look'), toolCall('send', { id: 'b' })]
    const decision = openRound(program, stateWith({}), round, NOW)
    assert.deepEqual(
      decision.calls?.map(({ status }) => status),
      ['sent', 'judging'],
    )
    assert.deepEqual(decision.review, { n: 1, subject: 'calls' })
  })

  test('a rehearsal assumes no approval for a call that is refused', () => {
    const program = programOf(ASKS, { rehearsal: true })
    const warnings = (call: ToolCall) => openRound(program, stateWith({}), [call], NOW).warnings
    assert.equal(warnings(toolCall('send'))?.[0]?.code, 'APPROVAL_ASSUMED')
    assert.equal(warnings(toolCall('send', { malformed: '{' })), undefined)
  })

  test('calls of one answer count together, those that are refused do not', () => {
    const program = programOf({ constraints: ['Call look at most twice.'] })
    const round = ['a', 'b', 'c'].map((id) => toolCall('look', { id, args: id === 'a' ? {} : { x: 1 } }))
    const { calls } = openRound(program, stateWith({}), [...round, toolCall('look', { id: 'd' })], NOW)
    assert.deepEqual(
      calls?.map(({ status }) => status),
      ['done', 'sent', 'sent', 'done'],
    )
  })

  test('sub-agents of one answer share the budget', () => {
    const limits = { budget_tokens: 100, max_iterations: 9 }
    const family = agentWith({ mode: 'model' })
    const tool = (name: string, agent?: string): PlannedTool => ({
      name,
      description: '',
      protocol: 'agent',
      effect: 'write',
      idempotent: true,
      gate: 'allow',
      ...(agent !== undefined && { agent }),
    })
    const tools = [tool('ask_a', 'a'), tool('ask_b', 'b'), tool('look'), tool('ask_x', 'x')]
    const program = withPlan(family, { limits, tools })
    const shares = (...names: string[]) =>
      openRound(
        program,
        stateWith({}),
        names.map((name) => toolCall(name, { id: name, args: { task: 'do' } })),
        NOW,
      ).calls?.map(({ agent }) => agent?.limits.tokens)
    assert.deepEqual(shares('ask_a', 'ask_b', 'look'), [50, 50, undefined])
    assert.deepEqual(shares('look'), [undefined])
    const [entry] =
      openRound(program, stateWith({}), [toolCall('ask_a', { args: { task: 'do' } })], NOW).calls ?? []
    assert.deepEqual([entry?.tool, entry?.agent?.input, entry?.args], ['ask_a', 'do', { task: 'do' }])
    const [none] = openRound(program, stateWith({}), [toolCall('ask_a', { args: {} })], NOW).calls ?? []
    assert.equal(none?.agent?.input, null)
    assert.throws(
      () => openRound(program, stateWith({}), [toolCall('ask_x')], NOW),
      /the plan offers x, which it does not list/,
    )
  })

  test('a call that is done and a call of a sub-agent do not change', () => {
    const program = programOf(ASKS)
    const done = callWith({ status: 'done' })
    const agent = worker('a')
    assert.equal(passed(program, stateWith({}), done, NOW), done)
    assert.equal(passed(program, stateWith({}), agent, NOW), agent)
    assert.equal(passed(program, stateWith({}), callWith(), NOW).status, 'asking')
  })
})

describe('the end of a round', () => {
  const done = callWith({ status: 'done', result: 1 })
  const settles: readonly (readonly [
    rule: string,
    calls: readonly CallEntry[],
    state: Partial<RunState>,
    asks: boolean,
    settle: true | undefined,
  ])[] = [
    ['no call', [], {}, false, undefined],
    ['one call is open', [done, open], {}, false, undefined],
    ['all calls are done', [done], {}, true, true],
    ['all calls of a paused run are done', [done], { status: 'paused' }, false, true],
  ]
  for (const [rule, calls, state, asks, settle] of settles) {
    test(`${rule}: ${settle ? 'settled' : 'open'}${asks ? ', and the model is asked' : ''}`, () => {
      const decision = settleIfDone(programOf(), stateWith(state), calls, NOW)
      assert.deepEqual([decision.settle, decision.attempt?.n], [settle, asks ? 1 : undefined])
    })
  }

  test('a hand-off evaluates the latest text of the model', () => {
    const handoffs = [
      {
        condition: { lang: 'cel', expr: 'output == "x"' },
        target: 'a',
        pass_context: false,
        pass_memory: false,
      },
    ]
    const program = agentWith({ mode: 'model', handoffs })
    const said = (...texts: readonly string[]): Partial<RunState> => ({
      messages: Log.empty<Message>().append([
        ...texts.map((text): Message => ({ role: 'assistant', text, calls: [] })),
        { role: 'user', text: 'x' },
      ]),
    })
    const stage = (state: Partial<RunState>) => settleIfDone(program, stateWith(state), [done], NOW).stage
    assert.deepEqual(stage(said('y', 'x')), { type: 'handoff', rule: 0 })
    assert.equal(stage(said('x', 'y')), undefined)
    assert.equal(stage(said()), undefined)
    assert.deepEqual(
      stage({ messages: Log.empty<Message>().append([{ role: 'assistant', text: 'x', calls: [] }]) }),
      { type: 'handoff', rule: 0 },
    )
    assert.equal(orchestrationOf(program).handoffs.length, 1)
  })

  test('a result advances the stage, and in a paused run it is only recorded', () => {
    const program = agentWith({ mode: 'router', workers: ['a'] })
    const state = { stage: { type: 'route' }, calls: [worker('a', { id: 'a' })] } as const
    const answer = { type: 'call.answered', call_id: 'a', result: 'x', latency_ms: 1 } as const
    assert.equal(callAnswered(program, stateWith(state), answer, NOW)?.end?.output, 'x')
    assert.deepEqual(callAnswered(program, stateWith({ ...state, status: 'paused' }), answer, NOW), {
      done: { call_id: 'a', result: 'x' },
    })
  })
})
