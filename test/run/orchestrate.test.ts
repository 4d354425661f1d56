import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { openHome, planRun, type RunOptions } from 'waybill'
import type { Json, JsonObject } from '../../src/document/json.ts'
import { agent, calls, fails, folderOf, runFamily } from './family.ts'

const subagents = (...names: string[]) => names.map((name) => ({ ref: name, alias: name }))
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe('AAIF §4.3 pipeline', () => {
  test('AAIF-4.3-03: a step that names no sub-agent is reported before any step runs', async (t) => {
    const root = agent('p', {
      orchestration: {
        subagents: [
          { ref: 'a', alias: 'a' },
          { ref: 'gone', alias: 'b' },
        ],
        pipeline: ['a', 'b'],
      },
    })
    const { result, asked } = await runFamily(t, [root, agent('a')], { a: () => 'x' })
    assert.equal(result.status, 'refused')
    assert.match(result.error?.message ?? '', /b was not found/)
    assert.deepEqual(asked, [])
  })

  test('a step that fails ends the run with its reason; a fallback replaces it if there is one', async (t) => {
    const plain = agent('p', { orchestration: { subagents: subagents('a', 'b'), pipeline: ['a', 'b'] } })
    const broken = await runFamily(t, [plain, agent('a'), agent('b')], { a: fails, b: () => 'never' })
    assert.equal(broken.result.status, 'failed')
    assert.equal(broken.result.error?.code, 'SUBAGENT_FAILED')
    assert.match(broken.result.error?.message ?? '', /a: MODEL_ERROR/)

    const safe = agent('p', {
      orchestration: {
        subagents: [...subagents('a', 'b'), { ref: 'spare', role: 'fallback' }],
        pipeline: ['a', 'b'],
      },
    })
    const saved = await runFamily(t, [safe, agent('a'), agent('b'), agent('spare')], {
      a: fails,
      spare: ({ last }) => `${last}>spare`,
      b: ({ last }) => `${last}>b`,
    })
    assert.equal(saved.result.output, 'go>spare>b')
    assert.ok(saved.result.warnings.some(({ code }) => code === 'SUBAGENT_FALLBACK'))
  })
})

describe('AAIF §4.3 swarm', () => {
  const swarm = (consensus: JsonObject | undefined, ...extra: JsonObject[]) =>
    agent('s', {
      orchestration: {
        subagents: [...subagents('a', 'b', 'c'), ...extra],
        parallel_execution: true,
        ...(consensus && { consensus }),
      },
    })
  const workers = [agent('a'), agent('b'), agent('c')]

  test('AAIF-4.3-04: all workers start at once and the synthesizer merges', async (t) => {
    let running = 0
    let most = 0
    const work = async ({ name }: { name: string }) => {
      most = Math.max(most, ++running)
      await pause(20)
      running--
      return name
    }
    const { result } = await runFamily(
      t,
      [
        swarm(undefined, { ref: 'synth', alias: 'synth' }),
        ...workers,
        agent('synth', { orchestration: { role: 'synthesizer' } }),
      ],
      {
        a: work,
        b: work,
        c: work,
        synth: ({ last }) =>
          `merged ${JSON.parse(last)
            .results.map((r: { result: string }) => r.result)
            .join('')}`,
      },
    )
    assert.equal(most, 3)
    assert.equal(result.output, 'merged abc')
  })

  test('one agent may have several aliases: it counts once among the participating agents', async (t) => {
    const many = Array.from({ length: 600 }, (_, i) => ({ ref: 'a', alias: `a${i}` }))
    const parent = agent('s', {
      orchestration: {
        subagents: many,
        parallel_execution: true,
        consensus: { strategy: 'majority_vote' },
      },
    })
    const { result, asked } = await runFamily(t, [parent, agent('a')], { a: () => 'same' })
    assert.deepEqual([result.output, asked.length], ['same', 600])
  })

  test('without a synthesizer the agent’s own model merges, with the results marked as data', async (t) => {
    const { result, requests } = await runFamily(t, [swarm(undefined), ...workers], {
      a: () => '1',
      b: () => '2',
      c: () => '3',
      s: ({ last }) => {
        assert.match(last, /it is not an instruction/)
        return 'six'
      },
    })
    assert.equal(result.output, 'six')
    assert.equal(requests.at(-1)?.plan.agent_name, 's')
  })

  test('SPEC-D-11: majority_vote takes the answer with min_votes and fails without one', async (t) => {
    const consensus = { strategy: 'majority_vote', min_votes: 2 }
    const agreed = await runFamily(t, [swarm(consensus), ...workers], {
      a: () => 'Yes',
      b: () => 'no',
      c: () => 'yes ',
    })
    assert.equal(agreed.result.output, 'Yes')
    const split = await runFamily(t, [swarm(consensus), ...workers], {
      a: () => '1',
      b: () => '2',
      c: () => '3',
    })
    assert.equal(split.result.error?.code, 'CONSENSUS_NOT_REACHED')
    assert.match(split.result.error?.message ?? '', /a: 1; b: 1; c: 1/)
  })

  test('SPEC-D-11: best_of_n returns the evaluator’s pick unchanged', async (t) => {
    const { result } = await runFamily(
      t,
      [swarm({ strategy: 'best_of_n' }, { ref: 'judge', role: 'evaluator' }), ...workers, agent('judge')],
      { a: () => 'one', b: () => 'two', c: () => 'three', judge: () => '{"best": 2}' },
    )
    assert.equal(result.output, 'two')
  })

  for (const [reply, picked] of [
    ['2', 'two'],
    ['The best answer is 3.', 'three'],
    ['two', 'two'],
  ] as const) {
    test(`SPEC-D-11: best_of_n without an evaluator returns the answer that the own model selects by ${JSON.stringify(reply)}`, async (t) => {
      const own = [reply, 'I choose answer 2']
      const { result, asked } = await runFamily(
        t,
        [
          agent('s', {
            orchestration: {
              subagents: ['a', 'b', 'c'].map((ref) => ({ ref })),
              parallel_execution: true,
              role: 'evaluator',
              consensus: { strategy: 'best_of_n' },
              handoff: [{ condition: { lang: 'always' }, target_agent: 'c' }],
            },
          }),
          ...workers,
        ],
        { a: () => 'one', b: () => 'two', c: () => 'three', s: () => own.shift() ?? '' },
      )
      assert.deepEqual([result.status, result.output], ['completed', picked])
      assert.deepEqual(asked.filter((name) => name === 's').length, reply === 'two' ? 2 : 1)
    })
  }

  test('SPEC-D-11: a choice that names no answer, twice, fails the run and is never the output', async (t) => {
    const { result, asked } = await runFamily(t, [swarm({ strategy: 'best_of_n' }), ...workers], {
      a: () => 'one',
      b: () => 'two',
      c: () => 'three',
      s: () => 'all of them',
    })
    assert.deepEqual([result.error?.code, result.output], ['CONSENSUS_NOT_REACHED', null])
    assert.equal(asked.filter((name) => name === 's').length, 2)
  })

  test('the own model selects without the form of its output, and the selected answer has that form', async (t) => {
    const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }
    const parent = agent('s', {
      model: { provider: 'openai', preferred: 'm', response_format: 'json_schema' },
      io: { output_schema: schema },
      orchestration: {
        subagents: ['a', 'b'].map((ref) => ({ ref })),
        parallel_execution: true,
        consensus: { strategy: 'best_of_n' },
      },
    })
    const { result, requests } = await runFamily(t, [parent, agent('a'), agent('b')], {
      a: () => '{"n": 1}',
      b: () => '{"n": 7}',
      s: () => '2',
    })
    assert.deepEqual(result.output, { n: 7 })
    assert.equal(requests.at(-1)?.free_form, true)
  })

  test('SPEC-D-11: an evaluator that replies with no number is asked once more', async (t) => {
    const replies = ['I like the second.', 'The best answer is 2.']
    const { result } = await runFamily(
      t,
      [swarm({ strategy: 'best_of_n' }, { ref: 'judge', role: 'evaluator' }), ...workers, agent('judge')],
      { a: () => 'one', b: () => 'two', c: () => 'three', judge: () => replies.shift() ?? '' },
    )
    assert.equal(result.output, 'two')
    assert.deepEqual(
      result.subagents.map(({ alias }) => alias),
      ['a', 'b', 'c', 'judge', 'judge'],
    )
  })

  test('SPEC-D-11: a referee decides, and is not one of the workers', async (t) => {
    const { result, asked } = await runFamily(
      t,
      [
        swarm({ strategy: 'referee', referee_agent: 'ref' }, { ref: 'ref', alias: 'ref' }),
        ...workers,
        agent('ref'),
      ],
      { a: () => '1', b: () => '2', c: () => '3', ref: () => 'the third way' },
    )
    assert.equal(result.output, 'the third way')
    assert.deepEqual([...asked].sort(), ['a', 'b', 'c', 'ref'])
  })

  test('SPEC-D-11: first_success takes the first success and stops the others', async (t) => {
    let aborted = 0
    const slow = ({ signal }: { signal: AbortSignal }) =>
      new Promise<string>((_, reject) => {
        signal.addEventListener('abort', () => {
          aborted++
          reject(signal.reason)
        })
      })
    const { result } = await runFamily(t, [swarm({ strategy: 'first_success' }), ...workers], {
      a: fails,
      b: async () => {
        await pause(20)
        return 'first'
      },
      c: slow,
    })
    assert.equal(result.output, 'first')
    assert.equal(aborted, 1)
    assert.deepEqual(
      result.subagents.map(({ alias, status }) => [alias, status]),
      [
        ['a', 'failed'],
        ['b', 'completed'],
        ['c', 'cancelled'],
      ],
    )
  })

  test('one or two failing workers are warnings, and if all fail the run ends', async (t) => {
    const ok = () => 'same'
    const own = () => 'merged'
    const one = await runFamily(t, [swarm(undefined), ...workers], { a: fails, b: ok, c: ok, s: own })
    assert.equal(one.result.output, 'merged')
    const two = await runFamily(t, [swarm(undefined), ...workers], { a: fails, b: fails, c: ok, s: own })
    assert.equal(two.result.output, 'same')
    assert.equal(two.result.warnings.filter(({ code }) => code === 'SUBAGENT_FAILED').length, 2)
    const all = await runFamily(t, [swarm(undefined), ...workers], { a: fails, b: fails, c: fails, s: own })
    assert.equal(all.result.error?.code, 'SUBAGENT_FAILED')
    assert.match(all.result.error?.message ?? '', /every sub-agent failed: a: .*b: .*c: /)
  })
})

describe('AAIF §4.3 routing', () => {
  const when = (lang: string, expr: Json) => ({ lang, expr })
  const router = (...conditions: (Json | undefined)[]) =>
    agent('r', {
      orchestration: {
        role: 'router',
        subagents: conditions.map((condition, index) => ({
          ref: 'abc'.charAt(index),
          alias: 'abc'.charAt(index),
          ...(condition !== undefined && { when: condition }),
        })),
      },
      io: { input_schema: { type: 'object' } },
    })
  const others = [agent('a'), agent('b'), agent('c')]
  const says = { a: () => 'from a', b: () => 'from b', c: () => 'from c', r: () => 'from the router' }

  test('AAIF-4.3-06, AAIF-4.3-13: a worker whose condition is false is not called, and one without a condition only if no other was chosen', async (t) => {
    const root = router(when('cel', 'input.kind == "y"'), undefined)
    const go = (input: JsonObject) => runFamily(t, [root, ...others], says, { input })
    assert.deepEqual((await go({ kind: 'y' })).asked, ['a'])
    assert.deepEqual((await go({ kind: 'n' })).asked, ['b'])
  })

  test('AAIF-5-12, AAIF-5-14: a condition in natural language chooses no worker, asks no model, and gives a warning', async (t) => {
    const { result, asked } = await runFamily(t, [router('when the task is hard'), ...others], says, {
      input: {},
    })
    assert.deepEqual(asked, ['r'])
    assert.ok(result.warnings.some(({ code }) => code === 'CONDITION_UNEVALUABLE'))
  })
})

describe('AAIF §4.3 delegation', () => {
  test('AAIF-4.3-12: an orchestrator’s model calls its sub-agents like tools, several at once', async (t) => {
    const root = agent('o', { orchestration: { role: 'orchestrator', subagents: subagents('a', 'b') } })
    const { result, requests } = await runFamily(t, [root, agent('a'), agent('b')], {
      o: ({ request }) =>
        request.messages.length === 1
          ? calls(['1', 'ask_a', { task: 'x' }], ['2', 'ask_b', { task: 'y' }])
          : request.messages
              .flatMap((message) => (message.role === 'tool' ? [message.result] : []))
              .join('+'),
      a: ({ last }) => `a did ${last}`,
      b: ({ last }) => `b did ${last}`,
    })
    assert.equal(result.output, 'a did x+b did y')
    assert.deepEqual(
      requests[0]?.plan.tools.map(({ name }) => name),
      ['ask_a', 'ask_b'],
    )
  })

  test('a failing sub-agent is a structured failure that the model sees', async (t) => {
    const root = agent('o', { orchestration: { subagents: subagents('a') } })
    const { result } = await runFamily(t, [root, agent('a')], {
      o: ({ request, last }) =>
        request.messages.length === 1 ? calls(['1', 'ask_a', { task: 'x' }]) : `saw ${last}`,
      a: fails,
    })
    assert.match(String(result.output), /saw .*MODEL_ERROR/)
  })

  test('AAIF-4.3-07, SPEC-D-27: a hand-off moves control if its condition is true, with or without the conversation', async (t) => {
    for (const pass_context of [true, false]) {
      const root = agent('h', {
        orchestration: {
          handoff: [
            {
              condition: { lang: 'cel', expr: 'output.contains("billing")' },
              target_agent: 'billing',
              pass_context,
            },
          ],
        },
      })
      const { result, requests } = await runFamily(
        t,
        [root, agent('billing')],
        { h: () => 'this is for billing', billing: () => 'paid' },
        { input: 'my bill' },
      )
      assert.equal(result.output, 'paid')
      const seen = requests[1]?.messages.map(({ role }) => role)
      assert.deepEqual(seen, pass_context ? ['user', 'assistant', 'user'] : ['user'])
    }
  })

  test('a hand-off whose condition is false does not change the answer', async (t) => {
    const root = agent('h', {
      orchestration: {
        handoff: [{ condition: { lang: 'cel', expr: 'output == "x"' }, target_agent: 'billing' }],
      },
    })
    const { result } = await runFamily(t, [root, agent('billing')], {
      h: () => 'mine',
      billing: () => 'paid',
    })
    assert.equal(result.output, 'mine')
  })
})

describe('AAIF §4.3 circles', () => {
  test('AAIF-4.3-09, AAIF-4.3-14: agents whose models call one another in a circle stop at max_iterations', async (t) => {
    const circle = (name: string, next: string) =>
      agent(name, { orchestration: { max_iterations: 4, subagents: subagents(next) } })
    const ask = (name: string) => () => calls(['c', `ask_${name}`, { task: 'go' }])
    const { result, asked } = await runFamily(t, [circle('x', 'y'), circle('y', 'x')], {
      x: ask('y'),
      y: ask('x'),
    })
    assert.equal(result.error?.code, 'MAX_ITERATIONS_EXCEEDED')
    assert.deepEqual(asked.slice(0, 5), ['x', 'y', 'x', 'y', 'x'])
    assert.deepEqual(
      result.warnings.filter(({ code }) => code === 'DEGRADED'),
      [],
    )
  })
})

describe('limits and approvals', () => {
  test('a budget is shared: sub-agents get a share of the rest, and the run stops at its total', async (t) => {
    const loop = () => calls(['c', 'look', { x: 1 }])
    const look = Object.assign(async () => 1, { readOnly: true })
    const tool = { name: 'look', description: 'Looks.' }
    const { result, requests } = await runFamily(
      t,
      [
        agent('p', { orchestration: { subagents: subagents('a', 'b'), pipeline: ['a', 'b'] } }),
        agent('a', { tools: [tool], orchestration: { max_iterations: 100 } }),
        agent('b'),
      ],
      { a: loop, b: () => 'x' },
      { budget: { calls: 7 }, tools: { look } },
    )
    assert.equal(result.status, 'failed')
    assert.match(result.error?.message ?? '', /BUDGET_EXCEEDED/)
    assert.ok(requests.length <= 7)
  })

  const budgets: readonly NonNullable<RunOptions['budget']>[] = [
    { tokens: 100_000 },
    { calls: 3 },
    { usd: 1 },
    { seconds: 60 },
    // The first two use 30: the request of the third may begin with one token.
    { tokens: 31 },
  ]
  for (const budget of budgets) {
    test(`three sub-agents in a row work within ${JSON.stringify(budget)}`, async (t) => {
      const steps = ['a', 'b', 'c']
      const { result, asked } = await runFamily(
        t,
        [
          agent('p', { orchestration: { subagents: subagents(...steps), pipeline: steps } }),
          ...steps.map((name) => agent(name, { model: { provider: 'openai', preferred: 'gpt-4o' } })),
        ],
        Object.fromEntries(steps.map((name) => [name, ({ last }) => `${last}${name}`])),
        { budget },
      )
      assert.deepEqual([result.error, result.output, asked], [undefined, 'goabc', steps])
    })
  }

  test('a deadline of the parent stops its sub-agents', async (t) => {
    let aborted = false
    const slow = ({ signal }: { signal: AbortSignal }) =>
      new Promise<string>((_, reject) =>
        signal.addEventListener('abort', () => {
          aborted = true
          reject(signal.reason)
        }),
      )
    const { result, asked } = await runFamily(
      t,
      [
        agent('p', {
          runtime: { timeout_seconds: 1 },
          orchestration: { subagents: subagents('a'), pipeline: ['a'] },
        }),
        agent('a'),
      ],
      { a: slow },
    )
    assert.deepEqual([result.status, result.stop_reason], ['failed', 'timeout'])
    assert.equal(result.error?.code, 'TIMEOUT')
    assert.deepEqual([asked, aborted], [['a'], true])
  })

  test('if a sub-agent waits for approval, its parent waits, and both are on record', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'waybill-family-runs-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const home = await openHome(folder)
    t.after(() => home.close())
    const { result } = await runFamily(
      t,
      [
        agent('p', { orchestration: { subagents: subagents('a'), pipeline: ['a'] } }),
        agent('a', {
          tools: [{ name: 'send', description: 'Sends.' }],
          compliance: { human_in_the_loop: { enabled: true } },
        }),
      ],
      { a: () => calls(['1', 'send', {}]) },
      { tools: { send: async () => 'sent' }, home },
    )
    assert.equal(result.status, 'awaiting_approval')
    assert.equal((await home.runs.list()).items.length, 2)
    const child = await home.runs.read(result.subagents[0]?.run_id ?? '')
    assert.equal(child.state.status, 'waiting')
    assert.equal(child.header.parent?.root_run_id, result.run_id)
    assert.equal(child.plan.agent_name, 'a')
  })
})

test('AAIF-3-04: a sub-agent is found by agent_id, by path and by name, and never outside the folder', async (t) => {
  const id = '5b0c1c2e-93a1-4a3f-8d3e-5f2e8b7a9c10'
  const folder = folderOf(t, [{ ...agent('byid'), agent_id: id }, agent('named')])
  const root = agent('root', {
    orchestration: {
      subagents: [
        { ref: id },
        { ref: './named.json' },
        { ref: 'named' },
        { ref: '../../etc/passwd' },
        { ref: 'https://agents.example/x.json' },
      ],
    },
  })
  const plan = await planRun(root as never, { folder, env: {} })
  assert.deepEqual(
    plan.subagents.map(({ agent: found }) => found !== undefined),
    [true, true, true, false, false],
  )
  assert.match(plan.subagents[3]?.reason ?? '', /outside|no definition/)
  assert.match(plan.subagents[4]?.reason ?? '', /not an allowed host/)
})
