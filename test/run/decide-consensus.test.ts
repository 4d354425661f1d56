import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Json, JsonObject } from '../../src/document/json.ts'
import type { PlannedConsensus, PlannedOrchestration } from '../../src/plan/planned-orchestration.ts'
import { afterJudge, ownChoice, reachConsensus } from '../../src/run/decide/consensus.ts'
import { judgeInput, mergeInput, refereeInput } from '../../src/run/decide/judge-question.ts'
import { majorityVote } from '../../src/run/decide/majority-vote.ts'
import { pickedBy } from '../../src/run/decide/picked-answer.ts'
import type { CallEntry, RunState } from '../../src/run/state.ts'
import { agentWith, orchestrationOf, state, worker } from './agent-with.ts'
import { callWith } from './core.ts'

const NOW = 1_000

describe('SPEC-D-11: majority_vote', () => {
  const cases: readonly {
    readonly rule: string
    readonly answers: readonly Json[]
    readonly min?: number
    readonly wins: Json | undefined
  }[] = [
    { rule: 'two of three equal answers win', answers: ['x', 'y', 'x'], wins: 'x' },
    { rule: 'the most common of four answers wins with two votes', answers: ['x', 'y', 'x', 'z'], wins: 'x' },
    { rule: 'three of four equal answers win', answers: ['x', 'y', 'x', 'x'], wins: 'x' },
    { rule: 'two answers with one vote each are a tie', answers: ['x', 'y'], wins: undefined },
    { rule: 'a tie at the top decides nothing', answers: ['x', 'x', 'y', 'y', 'z'], wins: undefined },
    { rule: 'a tie below the top does not matter', answers: ['x', 'x', 'x', 'y', 'y'], wins: 'x' },
    { rule: 'a single answer wins', answers: ['x'], wins: 'x' },
    { rule: 'min_votes is reached', answers: ['x', 'x', 'y', 'z'], min: 2, wins: 'x' },
    { rule: 'min_votes is not reached', answers: ['x', 'x', 'y'], min: 3, wins: undefined },
    { rule: 'two groups of equal size', answers: ['x', 'y', 'x', 'y'], min: 2, wins: undefined },
    { rule: 'the larger group comes second', answers: ['x', 'y', 'y'], wins: 'y' },
    { rule: 'texts are compared without white space and letter case', answers: [' X', 'x '], wins: ' X' },
    {
      rule: 'objects are compared by their members',
      answers: [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
      wins: { a: 1, b: 2 },
    },
    { rule: 'a number and its text differ', answers: [1, '1'], wins: undefined },
    {
      rule: 'texts that are JSON are compared by their members',
      answers: ['{"a": 1, "b": "Red"}', '```json\n{"b":"red ","a":1.0}\n```', '{"a":2}'],
      wins: '{"a": 1, "b": "Red"}',
    },
    {
      rule: 'texts inside of objects are compared like texts',
      answers: [{ c: ['Red'] }, { c: [' red'] }, { c: ['blue'] }],
      wins: { c: ['Red'] },
    },
    {
      rule: 'white space inside of a text is compared as one space',
      answers: ['a  b', 'a\nb', 'ab'],
      wins: 'a  b',
    },
    {
      rule: 'the two ways to write a character are equal',
      answers: ['caf\u00e9', 'cafe\u0301', 'x'],
      wins: 'caf\u00e9',
    },
    { rule: 'the order of items counts', answers: ['[1,2]', '[2,1]'], wins: undefined },
    {
      rule: 'numbers that a double cannot store are not confused',
      answers: ['[12345678901234567890]', '[12345678901234567891]'],
      wins: undefined,
    },
    { rule: 'a text that only begins like JSON is a text', answers: ['{x}', '{X} ', '{y}'], wins: '{x}' },
    { rule: 'no answer', answers: [], wins: undefined },
  ]
  for (const { rule, answers, min, wins } of cases) {
    test(`${rule}: ${JSON.stringify(wins) ?? 'no majority'}`, () => {
      const vote = majorityVote(
        answers.map((result, index) => ({ alias: `w${index}`, result })),
        min,
      )
      assert.deepEqual(vote.reached ? vote.result : undefined, wins)
    })
  }

  test('the groups are listed, the largest first', () => {
    const vote = majorityVote(
      ['x', 'y', 'y'].map((result, index) => ({ alias: `w${index}`, result })),
      3,
    )
    assert.deepEqual(vote, {
      reached: false,
      tally: [
        { votes: 2, aliases: ['w1', 'w2'] },
        { votes: 1, aliases: ['w0'] },
      ],
    })
  })
})

describe('SPEC-D-11: how the choice of an evaluator is read', () => {
  const replies: readonly (readonly [reply: Json, picked: string | null])[] = [
    [1, 'a'],
    [2, 'b'],
    [0, null],
    [3, null],
    [1.5, null],
    ['2', 'b'],
    [' 2\n', 'b'],
    ['{"best": 2}', 'b'],
    ['02', 'b'],
    ['\u00a02', 'b'],
    ['"2"', 'b'],
    ['two', null],
    ['2.', 'b'],
    ['[2]', 'b'],
    ['The best answer is 2.', 'b'],
    ['the best answer is **2**', 'b'],
    ['I choose answer 2, because it is complete.', 'b'],
    ['Candidate #1', 'a'],
    ['No. 2', 'b'],
    ['2 is the best answer, score 9/10.', 'b'],
    ['2: it is the clearest.', 'b'],
    ['2\nIt is the clearest.', 'b'],
    ['```json\n{"best": 2}\n```', 'b'],
    ['Best: 2', 'b'],
    ['Answer-2', 'b'],
    ['Answer 2 is best, because answer 1 is short.', null],
    ['Answer 1 is not the best.', null],
    ['None of the 2 answers is good.', null],
    ['2. because 1 is worse', 'b'],
    ['2\n\nReason: answer 1 is incomplete.', 'b'],
    ['**2** - since 1 is not complete', 'b'],
    ['2\nActually, answer 1 is better.', null],
    ['2. Becauseful, answer 1', null],
    ['9, because 1 is worse', null],
    ['Answer 1 and 2', null],
    ['Answers 1 or 2', null],
    ['Answer 1, 2', null],
    ['Option 1/2', null],
    [{ best_answer: 2 }, 'b'],
    ['Not 1, but 2', null],
    ['1 is worse than 2', null],
    ['Both 1 and 2', null],
    ['The best 2 of all', null],
    ['The best one is "Buy 2 apples".', null],
    ['1. The first is short. 2. The second is long.', null],
    ['The best answer is 3.', null],
    ['The best answer is 1.5', null],
    ['The best answer is -2', null],
    ['', null],
    [{ best: 1 }, 'a'],
    [{ best: '2' }, 'b'],
    [{ best: null }, null],
    [{}, null],
    [[1], 'a'],
    [[1, 2], null],
    [{ best: 'Answer 2' }, 'b'],
    [{ number: 2, why: 'it is better than 1' }, 'b'],
    [{ score: 2 }, null],
    [null, null],
    [true, null],
  ]
  for (const [reply, picked] of replies) {
    test(`${JSON.stringify(reply)}: ${picked ?? 'none'}`, () => {
      const candidates = ['a', 'b'].map((alias) => ({ alias, result: alias }))
      assert.equal(pickedBy(reply, candidates)?.alias ?? null, picked)
    })
  }
})

test('a reply with 100,000 numbers is read like a short one', () => {
  const candidates = ['a', 'b'].map((alias) => ({ alias, result: alias }))
  const picked = (reply: string) => pickedBy(reply, candidates)?.alias ?? null
  const many = 100_000
  assert.equal(picked('1 '.repeat(many)), null)
  assert.equal(picked(`answer ${'1 '.repeat(many)}`), 'a')
  assert.equal(picked(`answers ${'1 and '.repeat(many)} 2`), null)
  assert.equal(picked(`answer ${'1 or '.repeat(many)} 1`), 'a')
})

describe('the question to a judge', () => {
  const candidates = [
    { alias: 'a', result: 'x' },
    { alias: 'b', result: { n: 1 } },
  ]
  test('numbers the answers from 1 and does not name who gave them', () => {
    const { instruction, ...question } = judgeInput('go', candidates)
    assert.deepEqual(question, {
      task: 'go',
      candidates: [
        { number: 1, answer: 'x' },
        { number: 2, answer: { n: 1 } },
      ],
    })
    assert.match(String(instruction), /best/)
  })
  test('names who gave which answer to a referee', () => {
    const { instruction, ...question } = refereeInput({ x: 1 }, candidates)
    assert.deepEqual(question, {
      task: { x: 1 },
      answers: [
        { from: 'a', answer: 'x' },
        { from: 'b', answer: { n: 1 } },
      ],
    })
    assert.match(String(instruction), /Decide/)
  })
  test('names who gave which result to a synthesizer', () => {
    const { instruction, ...question } = mergeInput('go', candidates)
    assert.deepEqual(question, {
      task: 'go',
      results: [
        { from: 'a', result: 'x' },
        { from: 'b', result: { n: 1 } },
      ],
    })
    assert.match(String(instruction), /Merge/)
  })
})

describe('how the answers of the workers become one', () => {
  const one = [{ alias: 'a', result: 'x' }]
  const two = [...one, { alias: 'b', result: 'y' }]
  const same = [...one, { alias: 'b', result: 'x' }]
  type Comes =
    | { readonly output: Json; readonly warned?: true }
    | { readonly error: string }
    | { readonly asks: string; readonly phase: 'judge' | 'merge'; readonly question: string }
    | { readonly says: string }
  const consensus = (members: PlannedConsensus) => ({ consensus: members })
  const cases: readonly {
    readonly rule: string
    readonly orchestration?: Partial<PlannedOrchestration>
    readonly rehearsal?: boolean
    readonly candidates: typeof two
    readonly comes: Comes
  }[] = [
    {
      rule: 'the answer of the majority is the output',
      orchestration: consensus({ strategy: 'majority_vote' }),
      candidates: same,
      comes: { output: 'x' },
    },
    {
      rule: 'without a majority the run fails',
      orchestration: consensus({ strategy: 'majority_vote' }),
      candidates: two,
      comes: { error: 'no answer has the votes it needs (a: 1; b: 1)' },
    },
    {
      rule: 'without a majority a rehearsal uses the first answer',
      orchestration: consensus({ strategy: 'majority_vote' }),
      rehearsal: true,
      candidates: two,
      comes: { output: 'x', warned: true },
    },
    {
      rule: 'a rehearsal without answers fails',
      orchestration: consensus({ strategy: 'majority_vote' }),
      rehearsal: true,
      candidates: [],
      comes: { error: 'no answer has the votes it needs ()' },
    },
    {
      rule: 'a router does not vote',
      orchestration: { mode: 'router', ...consensus({ strategy: 'majority_vote' }) },
      candidates: two,
      comes: { says: '"results"' },
    },
    {
      rule: 'the best of two is picked by the evaluator',
      orchestration: consensus({ strategy: 'best_of_n', judge: 'judge' }),
      candidates: two,
      comes: { asks: 'judge', phase: 'judge', question: 'candidates' },
    },
    {
      rule: 'the best of one needs no evaluator',
      orchestration: consensus({ strategy: 'best_of_n', judge: 'judge' }),
      candidates: one,
      comes: { output: 'x' },
    },
    {
      rule: "without an evaluator the agent's own model picks",
      orchestration: consensus({ strategy: 'best_of_n' }),
      candidates: two,
      comes: { says: '"candidates"' },
    },
    {
      rule: 'a referee decides',
      orchestration: consensus({ strategy: 'referee', judge: 'judge' }),
      candidates: two,
      comes: { asks: 'judge', phase: 'merge', question: 'answers' },
    },
    {
      rule: 'a referee decides about one answer as well',
      orchestration: consensus({ strategy: 'referee', judge: 'judge' }),
      candidates: one,
      comes: { asks: 'judge', phase: 'merge', question: 'answers' },
    },
    { rule: 'one answer needs no merge', candidates: one, comes: { output: 'x' } },
    {
      rule: 'a synthesizer merges',
      orchestration: { synthesizer: 'judge' },
      candidates: two,
      comes: { asks: 'judge', phase: 'merge', question: 'results' },
    },
    { rule: "without one the agent's own model merges", candidates: two, comes: { says: '"results"' } },
    {
      rule: 'a synthesizer that cannot be called ends the run',
      orchestration: { synthesizer: 'gone' },
      candidates: two,
      comes: { error: 'the sub-agent gone: SUBAGENT_UNRESOLVED: gone.json was not found' },
    },
  ]
  for (const { rule, orchestration = {}, rehearsal = false, candidates, comes } of cases) {
    test(rule, () => {
      const program = agentWith(orchestration, { rehearsal })
      const own = orchestrationOf(program)
      const decision = reachConsensus(program, state(), own, candidates, NOW)
      assert.equal(decision.clear, true)
      const codes = (decision.warnings ?? []).map(({ code }) => code)
      if ('output' in comes) {
        assert.equal(decision.stage, null)
        assert.deepEqual(decision.end, { status: 'completed', stop_reason: 'final', output: comes.output })
        assert.deepEqual(codes, comes.warned === true ? ['CONSENSUS_ASSUMED'] : [])
      } else if ('error' in comes) {
        assert.equal(decision.end?.error?.message, comes.error)
        assert.equal(decision.add, undefined)
      } else if ('asks' in comes) {
        assert.deepEqual(decision.stage, { type: 'swarm', phase: comes.phase })
        assert.deepEqual(
          decision.add?.map(({ id, tool, result }) => [id, tool, result]),
          [
            ...candidates.map(({ alias, result }, index) => [`candidate${index}`, alias, result]),
            [comes.phase, comes.asks, undefined],
          ],
        )
        const question = decision.add?.at(-1)?.agent?.input as JsonObject
        assert.deepEqual(Object.keys(question), ['task', comes.question, 'instruction'])
      } else {
        assert.equal(decision.stage, null)
        assert.ok(decision.say?.includes(comes.says))
        assert.equal(decision.attempt?.n, 1)
      }
    })
  }
})

describe('how the answer of an evaluator, referee or synthesizer is used', () => {
  const candidates = ['x', 'y'].map((result, index) =>
    callWith({ id: `candidate${index}`, tool: 'ab'.charAt(index), effect: 'none', status: 'done', result }),
  )
  const judge = (members: Partial<CallEntry>) => worker('judge', { id: 'judge', status: 'done', ...members })
  const cases: readonly {
    readonly rule: string
    readonly phase: 'judge' | 'merge'
    readonly calls: readonly CallEntry[]
    readonly rehearsal?: boolean
    readonly output?: Json
    readonly error?: string
    readonly warned?: true
  }[] = [
    {
      rule: 'before the answer, no decision is made',
      phase: 'judge',
      calls: [...candidates, judge({ status: 'sent' })],
    },
    {
      rule: 'its failure ends the run',
      phase: 'judge',
      calls: [...candidates, judge({ result: 'no', error: true })],
      error: 'the sub-agent judge: no',
    },
    { rule: 'without its call the run fails', phase: 'judge', calls: [], error: 'every sub-agent failed: ' },
    {
      rule: 'a merged result is the output',
      phase: 'merge',
      calls: [...candidates, judge({ result: 2 })],
      output: 2,
    },
    {
      rule: 'a merge without a result gives null',
      phase: 'merge',
      calls: [...candidates, judge({})],
      output: null,
    },
    {
      rule: 'the picked answer is the output',
      phase: 'judge',
      calls: [...candidates, judge({ result: 2 })],
      output: 'y',
    },
    {
      rule: 'a picked answer without a result gives null',
      phase: 'judge',
      calls: [callWith({ id: 'candidate0', status: 'done' }), judge({ result: 1 })],
      output: null,
    },
    {
      rule: 'a choice that is unreadable twice ends the run',
      phase: 'judge',
      calls: [...candidates, judge({ result: 'both' }), judge({ id: 'judge_again', result: 'both' })],
      error: 'the evaluator judge picked none of the 2 answers: both',
    },
    {
      rule: 'a choice that is readable the second time is used',
      phase: 'judge',
      calls: [
        ...candidates,
        judge({ result: 'both' }),
        judge({ id: 'judge_again', result: 'The best answer is 2.' }),
      ],
      output: 'y',
    },
    {
      rule: 'no choice, twice, ends the run',
      phase: 'judge',
      calls: [...candidates, judge({}), judge({ id: 'judge_again' })],
      error: 'the evaluator judge picked none of the 2 answers: null',
    },
    {
      rule: 'a rehearsal uses the first answer if the choice is unreadable',
      phase: 'judge',
      calls: [...candidates, judge({ result: 'both' })],
      rehearsal: true,
      output: 'x',
      warned: true,
    },
    {
      rule: 'a rehearsal without answers fails if the choice is unreadable',
      phase: 'judge',
      calls: [judge({ result: 'both' })],
      rehearsal: true,
      error: 'the evaluator judge picked none of the 0 answers: both',
    },
  ]
  for (const { rule, phase, calls, rehearsal = false, output, error, warned } of cases) {
    test(rule, () => {
      const decision = afterJudge(agentWith({}, { rehearsal }), state(), calls, phase)
      if (output === undefined && error === undefined) return assert.deepEqual(decision, {})
      assert.equal(decision.clear, true)
      assert.equal(decision.end?.error?.message, error)
      assert.deepEqual(decision.end?.output, output)
      assert.equal(decision.warnings?.[0]?.code, warned === true ? 'CONSENSUS_ASSUMED' : undefined)
    })
  }

  test('an evaluator whose choice is unreadable is asked once more, with its reply', () => {
    const unreadable = judge({ result: 'both' })
    const decision = afterJudge(agentWith({}), state(), [...candidates, unreadable], 'judge')
    assert.equal(decision.clear, undefined)
    const [again, ...others] = decision.add ?? []
    assert.deepEqual(others, [])
    assert.notEqual(again?.key, unreadable.key)
    const question = again?.agent?.input as JsonObject
    assert.deepEqual(Object.keys(question), ['task', 'candidates', 'instruction'])
    assert.match(String(question.instruction), /"both"/)
  })
})

describe("how the choice of the agent's own model is used", () => {
  const choice = ['x', 'y'].map((result, index) => ({ alias: 'ab'.charAt(index), result }))
  const reply = (text: string, members: Partial<RunState> = {}, rehearsal = false) =>
    ownChoice(agentWith({}, { rehearsal }), state({ choice, ...members }), choice, text, NOW)

  test('the picked answer is the output, not its number', () => {
    const { choice: after, end } = reply('The best answer is 2.')
    assert.deepEqual([after, end], [null, { status: 'completed', stop_reason: 'final', output: 'y' }])
  })
  test('an unreadable choice is repaired once', () => {
    const { repair, attempt, end, choice: after } = reply('both')
    assert.match(String(repair), /number from 1 to 2/)
    assert.deepEqual([attempt?.n, end, after], [1, undefined, undefined])
  })
  test('an unreadable choice after the repair ends the run', () => {
    const { choice: after, end } = reply('both', { repairs: 1 })
    assert.deepEqual([after, end?.error?.code], [null, 'CONSENSUS_NOT_REACHED'])
    assert.equal(end?.error?.message, 'the model of this agent picked none of the 2 answers: both')
  })
  test('a rehearsal uses the first answer if the choice is unreadable', () => {
    const { end, warnings } = reply('both', {}, true)
    assert.deepEqual([end?.output, warnings?.[0]?.code], ['x', 'CONSENSUS_ASSUMED'])
  })
})
