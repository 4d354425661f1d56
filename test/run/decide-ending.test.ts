import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Program } from '../../src/plan/plan.ts'
import { holdEnd } from '../../src/run/decide/hold-end.ts'
import { whileEnding } from '../../src/run/decide/while-ending.ts'
import type { Decision, Fact, Verdict } from '../../src/run/event.ts'
import type { AgentCall, CallEntry, RunEnd, RunState, Stage } from '../../src/run/state.ts'
import { callWith, stateWith } from './core.ts'
import { programOf } from './fixture.ts'

const END: RunEnd = { status: 'cancelled', stop_reason: 'interrupt' }
const AGENT: AgentCall = {
  alias: 'w',
  definition: 'd'.repeat(64),
  run_id: 'run-2',
  input: null,
  pass_context: false,
  limits: {},
}
const WORK: Stage = { type: 'swarm', phase: 'work' }

const sent = callWith()
const other = callWith({ id: 'b' })
const unknown = callWith({ status: 'unknown' })
const done = callWith({ status: 'done', result: 1 })
const unasked = callWith({ unasked: true })
const asking = callWith({ status: 'asking' })
const agentSent = callWith({ effect: 'idempotent', agent: AGENT })
const agentHeld = callWith({ effect: 'idempotent', agent: AGENT, status: 'held' })

const took: Fact = { type: 'call.answered', call_id: 'a', result: 'ok', latency_ms: 1 }
const broke = (outcome: 'unsent' | 'answered' | 'unknown'): Fact => ({
  type: 'call.failed',
  call_id: 'a',
  code: 'TOOL_ERROR',
  message: 'it broke',
  outcome,
  latency_ms: 1,
})
const decided = (verdict: Verdict): Fact => ({ type: 'person.decided', call_id: 'a', verdict, by: 'ann' })
const brokenResult = { call_id: 'a', result: 'TOOL_ERROR: it broke', error: true as const }

describe('what a run decides whose end waits for calls', () => {
  const cases: readonly {
    readonly rule: string
    readonly calls: readonly CallEntry[]
    readonly fact: Fact
    readonly state?: Partial<RunState>
    /** Null: the fact does not matter. */
    readonly decision: Decision | null
  }[] = [
    {
      rule: 'the answer to the last unsettled call ends the run',
      calls: [sent],
      fact: took,
      decision: { done: { call_id: 'a', result: 'ok' }, end: END },
    },
    {
      rule: 'the answer to an earlier call does not end the run',
      calls: [sent, other],
      fact: took,
      decision: { done: { call_id: 'a', result: 'ok' } },
    },
    {
      rule: 'the end does not wait for calls that are done or have no effect',
      calls: [sent, callWith({ id: 'b', status: 'done' }), callWith({ id: 'c', effect: 'none' })],
      fact: took,
      decision: { done: { call_id: 'a', result: 'ok' }, end: END },
    },
    {
      rule: 'the end of an orchestration leaves its stage',
      calls: [sent],
      fact: took,
      state: { stage: WORK },
      decision: { done: { call_id: 'a', result: 'ok' }, clear: true, stage: null, end: END },
    },
    { rule: 'an answer to a call that is done is late', calls: [done, other], fact: took, decision: null },
    { rule: 'an answer to a call that asks is late', calls: [asking, other], fact: took, decision: null },
    { rule: 'an answer to an unknown call is late', calls: [other], fact: took, decision: null },
    {
      rule: 'a late answer to a call whose fate is unknown settles it',
      calls: [unknown],
      fact: took,
      decision: { done: { call_id: 'a', result: 'ok' }, end: END },
    },
    {
      rule: 'a failure that is known settles the call',
      calls: [sent],
      fact: broke('answered'),
      decision: { done: brokenResult, end: END },
    },
    {
      rule: 'a failure before sending settles the call',
      calls: [sent, other],
      fact: broke('unsent'),
      decision: { done: brokenResult },
    },
    {
      rule: 'a failure with an unknown outcome leaves the call to a person',
      calls: [sent],
      fact: broke('unknown'),
      decision: { set: { a: 'unknown' } },
    },
    {
      rule: 'the second failure of this kind does not ask again',
      calls: [unknown],
      fact: broke('unknown'),
      decision: null,
    },
    {
      rule: 'a sub-agent with an unknown outcome settles, because its own run asks',
      calls: [agentSent],
      fact: broke('unknown'),
      decision: { done: brokenResult, end: END },
    },
    {
      rule: 'a failure of a call that is done is late',
      calls: [done, other],
      fact: broke('answered'),
      decision: null,
    },
    {
      rule: 'a failure of an unknown call is late',
      calls: [other],
      fact: broke('answered'),
      decision: null,
    },
    {
      rule: 'a sub-agent that waits for a person is held',
      calls: [agentSent],
      fact: { type: 'call.held', call_id: 'a' },
      decision: { set: { a: 'held' } },
    },
    {
      rule: 'a sub-agent that is already held is not held again',
      calls: [agentHeld],
      fact: { type: 'call.held', call_id: 'a' },
      decision: null,
    },
    {
      rule: 'an unknown call is not held',
      calls: [other],
      fact: { type: 'call.held', call_id: 'a' },
      decision: null,
    },
    {
      rule: 'a person who assumes that the call took effect settles it',
      calls: [unknown],
      fact: decided('assume'),
      decision: { done: { call_id: 'a', result: 'done (confirmed by a person)' }, end: END },
    },
    {
      rule: 'a person who sends it again keeps the end waiting',
      calls: [unknown],
      fact: decided('resend'),
      decision: { set: { a: 'sent' } },
    },
    {
      rule: 'an approval does not decide an unknown outcome',
      calls: [unknown],
      fact: decided('approve'),
      decision: null,
    },
    {
      rule: 'a decision about a call in flight is late',
      calls: [sent],
      fact: decided('assume'),
      decision: null,
    },
    {
      rule: 'a decision about an unknown call is late',
      calls: [other],
      fact: decided('assume'),
      decision: null,
    },
    {
      rule: 'when the drain time has passed, the outcome of calls in flight becomes unknown',
      calls: [sent, agentSent],
      fact: { type: 'drain.passed' },
      decision: { set: { a: 'unknown' }, abort: 'all' },
    },
    {
      rule: 'the outcome of a call that was not sent does not become unknown',
      calls: [unasked, callWith({ id: 'b', status: 'unknown' })],
      fact: { type: 'drain.passed' },
      decision: null,
    },
    {
      rule: 'after a restart the outcome of calls in flight becomes unknown, and held sub-agents are driven again',
      calls: [sent, { ...agentHeld, id: 'b' }, callWith({ id: 'c', status: 'unknown' })],
      fact: { type: 'run.resumed', by: 'ann' },
      decision: { set: { a: 'unknown', b: 'sent' } },
    },
    {
      rule: 'a restart that changes no call is recorded as well',
      calls: [unknown],
      fact: { type: 'run.resumed', by: 'ann' },
      decision: {},
    },
    {
      rule: 'a pause stops a model that is still answering',
      calls: [sent],
      fact: { type: 'run.paused', by: 'ann' },
      decision: { abort: 'model' },
    },
    {
      rule: 'a second pause does not matter',
      calls: [sent],
      fact: { type: 'run.paused', by: 'ann' },
      state: { status: 'paused' },
      decision: null,
    },
    {
      rule: 'a hook that failed is noted',
      calls: [sent],
      fact: { type: 'hook.ran', hook: 'on_start', ok: false, latency_ms: 1 },
      decision: {
        warnings: [{ code: 'HOOK_FAILED', message: 'the hook on_start failed: it gave no reason' }],
      },
    },
    {
      rule: 'a deadline does not matter',
      calls: [sent],
      fact: { type: 'deadline.passed' },
      decision: null,
    },
    {
      rule: 'a second cancellation does not matter',
      calls: [sent],
      fact: { type: 'run.cancelled', by: 'ann' },
      decision: null,
    },
  ]
  for (const { rule, calls, fact, state = {}, decision } of cases) {
    test(`${fact.type}: ${rule}`, () => {
      const before = stateWith({ calls, ending: { end: END, since: 0 }, ...state })
      assert.deepEqual(whileEnding(programOf(), before, END, fact, 9), decision)
    })
  }

  const saves: readonly (readonly [rule: string, fact: Fact, remembers: boolean])[] = [
    ['a result is kept', { ...took, result: 'saved' }, true],
    ['a result that is withheld is not', { ...took, pii: [{ kind: 'email', at: '', count: 1 }] }, false],
  ]
  for (const [rule, fact, remembers] of saves) {
    test(`memory_save while the end waits: ${rule}`, () => {
      const program = programOf({
        memory: [{ scope: 'task', content: 'It is late.' }],
        compliance: { pii_handling: 'reject' },
      })
      const call = callWith({ tool: 'memory_save', args: { key: 'k', content: 'c' } })
      const decision = whileEnding(program, stateWith({ calls: [call] }), END, fact, 9)
      assert.deepEqual(
        decision?.remember?.map(({ key }) => key),
        remembers ? ['k'] : undefined,
      )
      assert.equal(decision?.done?.error, remembers ? undefined : true)
      assert.equal(decision?.end, END)
    })
  }
})

describe('when the end of a run is held', () => {
  const ends: Decision = { clear: true, settle: true, stage: null, review: null, abort: 'model', end: END }
  const real = programOf()
  const rehearsal = programOf({}, { rehearsal: true })
  const cases: readonly {
    readonly rule: string
    readonly program?: Program
    readonly calls: readonly CallEntry[]
    readonly ending?: RunState['ending']
    readonly decision: Decision
    /** Null: the decision stays as it is. */
    readonly held: Decision | null
  }[] = [
    { rule: 'a decision without an end', calls: [sent], decision: { abort: 'model' }, held: null },
    { rule: 'no call is open', calls: [], decision: ends, held: null },
    { rule: 'no open call must be waited for', calls: [asking, done, unasked], decision: ends, held: null },
    { rule: 'a rehearsal', program: rehearsal, calls: [sent], decision: ends, held: null },
    {
      rule: 'an end that was held before',
      calls: [sent],
      ending: { end: END, since: 0 },
      decision: ends,
      held: null,
    },
    {
      rule: 'a call that must not be repeated is on its way',
      calls: [sent],
      decision: ends,
      held: { abort: 'all', ending: END },
    },
    {
      rule: 'the decision itself settles the last such call',
      calls: [sent],
      decision: { ...ends, done: { call_id: 'a', result: 1 } },
      held: null,
    },
    {
      rule: 'members about other things are kept',
      calls: [sent],
      decision: { ...ends, set: { b: 'done' }, cost_usd: 1 },
      held: { cost_usd: 1, set: { b: 'done' }, abort: 'all', ending: END },
    },
    {
      rule: 'a sub-agent that waits for a person is driven once more',
      calls: [agentHeld, other],
      decision: { ...ends, set: { b: 'unknown' } },
      held: { set: { b: 'unknown', a: 'sent' }, abort: 'all', ending: END },
    },
  ]
  for (const { rule, program = real, calls, ending = null, decision, held } of cases) {
    test(`${rule}: ${held === null ? 'not held' : 'held'}`, () => {
      assert.deepEqual(holdEnd(program, stateWith({ calls, ending }), decision), held ?? decision)
    })
  }
})
