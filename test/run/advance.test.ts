import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Program } from '../../src/plan/plan.ts'
import { advance, type Step } from '../../src/run/advance.ts'
import type { Fact } from '../../src/run/event.ts'
import { initialState } from '../../src/run/initial-state.ts'
import type { RunState, RunWarning } from '../../src/run/state.ts'
import { familyProgram } from './family-program.ts'
import { calls, programOf, text } from './fixture.ts'

/** A possible next event; `pick` chooses among its variants. */
interface Move {
  readonly kind: (typeof KINDS)[number]
  readonly pick: number
  readonly ms: number
}

const KINDS = [
  'model',
  'model',
  'model',
  'failure',
  'call',
  'call',
  'call',
  'person',
  'judge',
  'memory',
  'run',
  'hook',
] as const

const MOVE: fc.Arbitrary<Move> = fc.record({
  kind: fc.constantFrom(...KINDS),
  pick: fc.nat(11),
  ms: fc.nat(90_000),
})

const JUDGE = { provider: 'openai', model: 'judge' }
const ASKS = { human_in_the_loop: { enabled: true } }

const SWARM = { parallel_execution: true, subagents: [{ ref: 'a' }, { ref: 'b' }, { ref: 'c' }] }

const PROGRAMS: Readonly<Record<string, Program>> = {
  plain: programOf(),
  'with approvals': programOf({ compliance: ASKS, runtime: { timeout_seconds: 600 } }),
  'with rules at level minimal': programOf({
    constraints: ['Never mention "acme".', 'Be kind.'],
    compliance: { safety_level: 'minimal' },
  }),
  'with a judge': programOf({ constraints: ['Be kind.'] }, { judge: JUDGE }),
  'that rejects personal data': programOf({ compliance: { pii_handling: 'reject' } }),
  'in a rehearsal': programOf({ compliance: ASKS }, { rehearsal: true }),
  'with memory': programOf({ memory: [{ scope: 'task', content: 'It is late.' }] }),
  'of a pipeline': familyProgram({ pipeline: ['a', 'b'], fallback_agent: 'c' }),
  'of a pipeline with a missing step': familyProgram({ pipeline: ['a', 'gone'] }, {}, { rehearsal: true }),
  'of a swarm that votes': familyProgram({ ...SWARM, consensus: { strategy: 'majority_vote' } }),
  'of a swarm that races': familyProgram({ ...SWARM, consensus: { strategy: 'first_success' } }),
  'of a swarm with an own summary': familyProgram({ ...SWARM, max_parallel: 1 }),
  'of a swarm that votes in a rehearsal': familyProgram(
    { ...SWARM, consensus: { strategy: 'majority_vote' } },
    { io: { output_schema: { type: 'object' } } },
    { rehearsal: true },
  ),
  'of a router': familyProgram({
    role: 'router',
    subagents: [{ ref: 'a', when: { lang: 'cel', expr: 'no.such > 1' } }],
  }),
  'that hands off': familyProgram({
    handoff: [{ condition: { lang: 'cel', expr: 'turn == 1' }, target_agent: 'a', pass_context: true }],
  }),
}

const ANSWERS = [
  text('done'),
  text('a word about acme'),
  { ...text('cut'), finish: 'length' as const },
  { ...text('ok'), warnings: ['temperature was dropped'] },
  { ...calls(['a', 'look', { x: 1 }]), warnings: ['temperature was dropped', 'seed was dropped'] },
  calls(['a', 'look', { x: 1 }], ['b', 'send', { x: 2 }]),
  calls(['b', 'send', { x: 2 }], ['c', 'book', { x: 3 }]),
  calls(['d', 'absent', {}]),
]

const STALE: readonly RunWarning[] = [{ code: 'MEMORY_FAILED', message: 'it cannot be read' }]

const PII = [{ kind: 'email', at: '/text', count: 1 }] as const

/** Returns the fact of a move in this state. */
function factOf({ kind, pick }: Move, state: RunState): Fact {
  if (state.seq === 0) return { type: 'run.started', input: pick < 6 ? 'hello' : { n: pick } }
  const attempt = pick === 11 ? state.attempts - 1 : state.attempts
  const call_id = state.calls[pick % Math.max(1, state.calls.length)]?.id ?? 'a'
  const review = state.review?.n ?? 0
  const latency_ms = 1
  switch (kind) {
    case 'model': {
      const answer = ANSWERS[pick % ANSWERS.length] ?? text('done')
      const { message, finish, usage, warnings } = answer
      const found = pick === 9 ? { pii: PII } : {}
      const counted = { input_tokens: 0, output_tokens: 0, ...usage }
      return {
        type: 'model.answered',
        attempt,
        message,
        finish,
        usage: counted,
        warnings,
        latency_ms,
        ...found,
      }
    }
    case 'failure': {
      const failure = (['unavailable', 'rate_limited', 'route', 'request'] as const)[pick % 4] ?? 'route'
      return { type: 'model.failed', attempt, kind: failure, code: 'MODEL_ERROR', message: 'x', latency_ms }
    }
    case 'call':
      if (pick === 7) return { type: 'call.held', call_id }
      return pick % 3 === 0
        ? {
            type: 'call.failed',
            call_id,
            code: 'TOOL_ERROR',
            message: 'x',
            outcome: pick > 5 ? 'unknown' : 'unsent',
            latency_ms,
          }
        : { type: 'call.answered', call_id, result: pick, latency_ms, ...(pick === 8 && { pii: PII }) }
    case 'person': {
      const verdict = (['approve', 'deny', 'resend', 'assume'] as const)[pick % 4] ?? 'deny'
      return { type: 'person.decided', call_id, verdict, by: 'ann' }
    }
    case 'judge':
      return pick % 3 === 0
        ? { type: 'judge.failed', review, message: 'no verdict', latency_ms }
        : {
            type: 'judge.answered',
            review,
            breaches: pick % 2 === 0 ? [] : [{ constraint: 'Be kind.', why: 'it is rude' }],
            latency_ms,
          }
    case 'memory':
      return { type: 'memory.read', turn: state.turn, items: [], latency_ms, warnings: STALE }
    case 'hook':
      return { type: 'hook.ran', hook: 'on_start', ok: pick > 5, latency_ms }
    case 'run':
      return (
        (
          [
            { type: 'run.paused', by: 'ann' },
            { type: 'run.resumed', by: 'ann' },
            { type: 'user.said', input: 'and now?' },
            { type: 'deadline.passed' },
            { type: 'run.cancelled', by: 'ann' },
          ] as const
        )[pick % 5] ?? { type: 'deadline.passed' }
      )
  }
}

function stepped(program: Program, state: RunState, move: Move): Step | null {
  return advance(program, state, factOf(move, state), state.at + move.ms)
}

function walk(program: Program, state: RunState, moves: readonly Move[]): RunState {
  let at = state
  for (const move of moves) at = stepped(program, at, move)?.state ?? at
  return at
}

/** Returns everything that a state or a step contains, including the entries of its logs. */
function contents(value: RunState | Step | null): string {
  return JSON.stringify(value)
}

for (const [name, program] of Object.entries(PROGRAMS)) {
  test(`a run ${name}: the same state and fact give the same step, even if other states were derived from the state before`, () => {
    fc.assert(
      fc.property(
        fc.array(MOVE, { maxLength: 12 }),
        MOVE,
        fc.array(MOVE, { maxLength: 6 }),
        fc.array(MOVE, { maxLength: 6 }),
        (before, move, after, other) => {
          const state = walk(program, initialState('run-1', program.plan.agent_id, program.hash), before)
          const held = contents(state)
          const first = stepped(program, state, move)
          const step = contents(first)
          // Two branches from one state, and a continuation of each.
          if (first !== null) walk(program, first.state, after)
          walk(program, state, other)
          assert.equal(contents(stepped(program, state, move)), step, 'the same step again')
          assert.equal(contents(first), step, 'the earlier step is unchanged')
          assert.equal(contents(state), held, 'the state itself is unchanged')
        },
      ),
      { numRuns: 200 },
    )
  })
}
