import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Program } from '../../../src/plan/plan.ts'
import { apply } from '../../../src/run/apply.ts'
import { drive } from '../../../src/run/drive/drive.ts'
import type { Control, DrivePorts } from '../../../src/run/drive/drive-ports.ts'
import { MemoryRouteBoard } from '../../../src/run/drive/route-board.ts'
import type { Fact, RunEvent } from '../../../src/run/event.ts'
import { initialState } from '../../../src/run/initial-state.ts'
import type { ModelPort } from '../../../src/run/ports.ts'
import { ModelFailure } from '../../../src/run/ports.ts'
import type { Records } from '../../../src/run/record/records.ts'
import { runHeader } from '../../../src/run/record/run-header.ts'
import { resultOf } from '../../../src/run/result.ts'
import { compareSteps, stepsOf } from '../../../src/session/compare-runs.ts'
import { replayRun } from '../../../src/session/replay/replay-run.ts'
import {
  calls,
  type FakeClock,
  fakeClock,
  modelOf,
  portsOf,
  programOf,
  text,
  toolsOf,
} from '../../run/fixture.ts'
import { captureOf, restored } from '../../state/captured.ts'
import { REPLAYS } from './replayed-world.ts'

function recordsOf(program: Program, events: readonly RunEvent[]): Pick<Records, 'runs' | 'memory'> {
  const header = runHeader(program, 'run-1')
  const state = events.reduce(apply, initialState('run-1', program.plan.agent_id, program.hash))
  const first = { type: 'run.started', input: 'hello' }
  const runs = {
    has: (id: string) => id === 'run-1',
    events: () => events,
    listed: () => ({ header }),
    read: () => ({ header, plan: program.plan, family: [], first, state, imported: false }),
  }
  return { runs, memory: {} } as unknown as Pick<Records, 'runs' | 'memory'>
}

/** Asserts that the replay of these events has the same facts, steps and result. */
async function assertReplays(program: Program, events: readonly RunEvent[]): Promise<void> {
  const { runs, state, diverged, differences } = await replayRun(recordsOf(program, events), 'run-1', REPLAYS)
  const again = runs[0]?.events ?? []
  assert.deepEqual([diverged, differences], [undefined, []])
  assert.deepEqual(compareSteps(stepsOf(events), stepsOf(again)), [])
  assert.deepEqual(
    again.map(({ fact }) => fact),
    events.map(({ fact }) => fact),
  )
  const before = events.reduce(apply, initialState(state.run_id, program.plan.agent_id, program.hash))
  assert.deepEqual(resultOf(program.plan, state), resultOf(program.plan, before))
}

const start = (program: Program) => initialState('run-1', program.plan.agent_id, program.hash)
const BEGIN: Fact = { type: 'run.started', input: 'hello' }

async function recorded(program: Program, model: ModelPort, more: Partial<DrivePorts> = {}) {
  const ports = portsOf(model, toolsOf({ send: () => 'sent', look: () => 1 }), more)
  await drive(program, start(program), BEGIN, ports)
  return ports.events
}

describe('the replay of one run has the same facts', () => {
  const SOFT = 'Speak politely.'
  const judged = (level: string) =>
    programOf(
      { constraints: [SOFT], compliance: { safety_level: level } },
      { judge: { provider: 'openai', model: 'judge' } },
    )
  const verdict = (...breaches: readonly object[]) => text(JSON.stringify({ breaches }))

  test('a judge that finds a breach, and then none', async () => {
    const program = judged('standard')
    const breach = verdict({ constraint: 1, why: 'rude' })
    await assertReplays(
      program,
      await recorded(program, modelOf(text('No!'), breach, text('No, thanks.'), verdict())),
    )
  })

  test('a judge that gives no verdict', async () => {
    const program = judged('standard')
    const away = new ModelFailure('unavailable', 'MODEL_ERROR', 'away')
    await assertReplays(program, await recorded(program, modelOf(text('No!'), away)))
  })

  test('a judge of calls', async () => {
    const program = judged('strict')
    const breach = verdict({ constraint: 1, why: 'rude', call: 'a' })
    const events = await recorded(
      program,
      modelOf(calls(['a', 'send', { x: 1 }]), breach, text('I did not.'), verdict()),
    )
    assert.ok(events.some(({ fact }) => fact.type === 'judge.answered'))
    await assertReplays(program, events)
  })

  for (const routing_strategy of ['round_robin', 'latency']) {
    test(`routes that were chosen by what was observed of them: ${routing_strategy}`, async () => {
      const program = programOf({
        model: {
          provider: 'openai',
          preferred: 'gpt-4o',
          fallbacks: [{ provider: 'anthropic', model: 'claude-sonnet-4-5' }],
          routing_strategy,
        },
      })
      const routes = new MemoryRouteBoard()
      const script = () =>
        modelOf(calls(['a', 'look', { x: 1 }]), calls(['b', 'look', { x: 2 }]), text('done'))
      await recorded(program, script(), { routes })
      const events = await recorded(program, script(), { routes })
      const used = events.flatMap(({ decision }) =>
        decision.attempt === undefined ? [] : [decision.attempt.route],
      )
      assert.ok(routing_strategy === 'latency' || new Set(used).size === 2, String(used))
      const { runs } = await replayRun(recordsOf(program, events), 'run-1', REPLAYS)
      assert.deepEqual(
        runs[0]?.events.flatMap(({ decision }) =>
          decision.attempt === undefined ? [] : [decision.attempt.route],
        ),
        used,
      )
    })
  }

  test('an answer that was continued after a pause, whose usage was estimated', async () => {
    const program = programOf({}, { budget: { tokens: 100_000 } })
    const answer = 'The parcel left Bern on Monday.'
    let control: Control | undefined
    let asked = 0
    const model: ModelPort = {
      async ask(_request, { signal, onText }) {
        asked++
        if (asked === 2) return { ...text(answer.slice(10)), usage: {} }
        onText?.(answer.slice(0, 10))
        control?.pause('ann')
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      },
    }
    const ports = portsOf(model)
    const options = {
      control: (given: Control) => {
        control = given
      },
      onText: () => {},
    }
    const paused = await drive(program, start(program), BEGIN, ports, options)
    const end = await drive(program, paused, { type: 'run.resumed', by: 'ann' }, ports, options)
    assert.deepEqual([end.end?.output, end.totals.estimated], [answer, true])
    await assertReplays(program, ports.events)
  })

  test('a question that a pause has stopped before it was sent', async () => {
    const program = programOf({ runtime: { max_retries: 3 } })
    let control: Control | undefined
    let waits = 0
    const away = new ModelFailure('unavailable', 'MODEL_ERROR', 'away')
    const time = fakeClock()
    const clock: FakeClock = {
      ...time,
      sleep: (ms, signal) => {
        waits += 1
        // The rest of the wait, after the pause.
        if (waits > 1) return time.sleep(ms, signal)
        control?.pause('ann')
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      },
    }
    const ports = portsOf(modelOf(away, text('one'), text('two')), undefined, { clock })
    const paused = await drive(program, start(program), BEGIN, ports, {
      control: (given) => {
        control = given
      },
    })
    await drive(program, paused, { type: 'run.resumed', by: 'ann' }, ports)
    assert.ok(ports.events.some(({ fact }) => fact.type === 'run.paused'))
    await assertReplays(program, ports.events)
  })

  test('a run that was restored from a state', async () => {
    const program = programOf()
    const first = await recorded(program, modelOf(calls(['a', 'look', { x: 1 }]), text('done')))
    const state = first.slice(0, 3).reduce(apply, start(program))
    const world = { program, events: () => [] } as unknown as Parameters<typeof captureOf>[0]
    const [run] = restored(captureOf(world, state), program, { runId: 'run-1' }).runs
    const events: RunEvent[] = (run?.facts ?? []).map((fact, index) => ({
      seq: index + 1,
      at: 1_000_000,
      fact,
      decision: {},
    }))
    const ports = portsOf(modelOf(text('done')))
    const before = events.reduce(apply, start(program))
    await drive(program, before, { type: 'run.resumed', by: 'ann' }, ports)
    await assertReplays(program, [...events, ...ports.events])
  })

  test('a turn that was interrupted by the next message', async () => {
    const program = programOf()
    let control: Control | undefined
    const model: ModelPort = {
      async ask({ messages }, { signal }) {
        if (messages.length > 1) return text('Yes.')
        control?.interrupt('ann', 'interrupt')
        control?.submit({ type: 'user.said', input: 'And now?' })
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      },
    }
    const ports = portsOf(model)
    await drive(program, start(program), BEGIN, ports, {
      control: (given) => {
        control = given
      },
    })
    assert.ok(ports.events.some(({ fact }) => fact.type === 'turn.interrupted'))
    await assertReplays(program, ports.events)
  })
})
