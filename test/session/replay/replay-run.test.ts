import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '../../../src/document/json.ts'
import type { Control } from '../../../src/run/drive/drive-ports.ts'
import { ModelFailure, type ModelRequest, ToolFailure } from '../../../src/run/ports.ts'
import { encodeEvent } from '../../../src/run/record/event-line.ts'
import type { RunState } from '../../../src/run/state.ts'
import { compareSteps, stepsOf } from '../../../src/session/compare-runs.ts'
import { agent } from '../../run/family.ts'
import { FamilyWorld, ROOT, settle, type WorldOptions } from '../../run/family-world.ts'
import { calls, type text } from '../../run/fixture.ts'
import { WORLDS, worldOf } from '../../state/captured-worlds.ts'
import { assertSame, replayOf } from './replayed-world.ts'

const tool = (name: string) => ({ name, description: 'Does it.', parameters_schema: { type: 'object' } })
const says = (...answers: readonly (string | ReturnType<typeof text> | Error)[]) => {
  let asked = 0
  return () => {
    const next = answers[asked++]
    if (next instanceof Error) throw next
    return next ?? 'done'
  }
}

type Program = {
  readonly agents: readonly JsonObject[]
  readonly options: WorldOptions
  readonly decide?: FamilyWorld['decide']
  /** Drives the world to the end that is replayed; default: until it ends or waits. May return the world after a crash. */
  readonly run?: (world: FamilyWorld) => Promise<unknown>
}

const once = { tools: [tool('look'), tool('send')] }
const approve: FamilyWorld['decide'] = ({ id }) => ({
  type: 'person.decided',
  call_id: id,
  verdict: 'approve',
  by: 'Ada',
  why: 'fine',
})

/** Runs of every kind, each of which a replay repeats without its world. */
const runs = (): Readonly<Record<string, Program>> => ({
  ...WORLDS,
  'a model that fails and is asked again': {
    agents: [agent('a', { runtime: { max_retries: 2 } })],
    options: {
      says: {
        a: says(
          new ModelFailure('unavailable', 'MODEL_ERROR', 'away'),
          new ModelFailure('rate_limited', 'MODEL_RATE_LIMITED', 'slow', 5000),
          'done',
        ),
      },
    },
  },
  'a model that fails, and a fallback that answers': {
    agents: [
      agent('a', {
        model: {
          provider: 'openai',
          preferred: 'gpt-4o',
          fallbacks: [{ provider: 'openai', model: 'gpt-4o-mini' }],
        },
      }),
    ],
    options: {
      says: {
        a: ({ route }: ModelRequest) => {
          if (route.model === 'gpt-4o') throw new ModelFailure('request', 'MODEL_ERROR', 'too long')
          return 'done'
        },
      },
    },
  },
  'a model that never answers': {
    agents: [agent('a', { runtime: { max_retries: 0 } })],
    options: { says: { a: says(new ModelFailure('route', 'MODEL_ERROR', 'no key')) } },
  },
  'a tool that fails': {
    agents: [agent('a', once)],
    options: {
      tools: {
        look: () => 1,
        send: () => {
          throw new ToolFailure('TOOL_ERROR', 'no such person', 'answered')
        },
      },
      says: { a: says(calls(['1', 'send', { who: 'a' }]), 'sorry') },
    },
  },
  'the same call several times, with other answers': {
    agents: [agent('a', once)],
    options: {
      reads: ['look'],
      tools: {
        send: () => 1,
        look: (() => {
          let n = 0
          return () => ++n
        })(),
      },
      says: {
        a: says(
          calls(['1', 'look', { x: 1 }], ['2', 'look', { x: 1 }]),
          calls(['3', 'look', { x: 1 }]),
          'done',
        ),
      },
    },
  },
  'a call that is denied': {
    agents: [
      agent('a', { ...once, compliance: { human_in_the_loop: { enabled: true, timeout_seconds: 60 } } }),
    ],
    options: {
      tools: { send: () => 'sent', look: () => 1 },
      says: { a: says(calls(['1', 'send', { who: 'a' }]), 'ok') },
    },
    decide: ({ id }) => ({ type: 'person.decided', call_id: id, verdict: 'deny', by: 'Ada', why: 'no' }),
  },
  'a question that nobody answers in time': {
    agents: [
      agent('a', { ...once, compliance: { human_in_the_loop: { enabled: true, timeout_seconds: 60 } } }),
    ],
    options: {
      tools: { send: () => 'sent', look: () => 1 },
      says: { a: says(calls(['1', 'send', { who: 'a' }]), 'ok') },
    },
    run: async (world) => {
      await world.start()
      world.clock.advance(61_000)
      await world.resume()
    },
  },
  'a question that is still open': {
    agents: [agent('a', { ...once, compliance: { human_in_the_loop: { enabled: true } } })],
    options: {
      tools: { send: () => 'sent', look: () => 1 },
      says: { a: says(calls(['1', 'send', { who: 'a' }]), 'ok') },
    },
    run: (world) => world.start(),
  },
  'a question that is answered in the same process, and one after a day': {
    agents: [agent('a', { ...once, compliance: { human_in_the_loop: { enabled: true } } })],
    options: {
      tools: { send: ({ args }) => `sent ${args.who}`, look: () => 1 },
      says: { a: says(calls(['1', 'send', { who: 'a' }]), calls(['2', 'send', { who: 'b' }]), 'ok') },
    },
    run: async (world) => {
      world.decide = (call, run) => (call.args.who === 'a' ? approve(call, run) : null)
      await world.start()
      world.clock.advance(86_400_000)
      world.decide = approve
      await world.resume()
    },
  },
  'a sub-agent that waits for a person': {
    agents: [
      agent('p', { orchestration: { subagents: [{ ref: 'a', alias: 'a' }], pipeline: ['a'] } }),
      agent('a', { ...once, compliance: { human_in_the_loop: { enabled: true } } }),
    ],
    options: {
      tools: { send: () => 'sent', look: () => 1 },
      says: { a: says(calls(['1', 'send', { who: 'a' }]), 'ok') },
    },
    run: async (world) => {
      await world.start()
      world.clock.advance(5000)
      world.decide = approve
      await world.resume()
    },
  },
  'a question that is asked again after it lapsed': {
    agents: [
      agent('a', { ...once, compliance: { human_in_the_loop: { enabled: true, timeout_seconds: 60 } } }),
    ],
    options: {
      tools: { send: () => 'sent', look: () => 1 },
      says: { a: says(calls(['1', 'send', { who: 'a' }]), calls(['2', 'send', { who: 'a' }]), 'ok') },
    },
    run: async (world) => {
      await world.start()
      world.clock.advance(61_000)
      await world.resume()
      world.clock.advance(5000)
      world.decide = approve
      await world.resume()
    },
  },
  'a call that is denied, and then approved': {
    agents: [agent('a', { ...once, compliance: { human_in_the_loop: { enabled: true } } })],
    options: {
      tools: { send: () => 'sent', look: () => 1 },
      says: { a: says(calls(['1', 'send', { who: 'a' }]), calls(['2', 'send', { who: 'a' }]), 'ok') },
    },
    decide: (call, run) =>
      call.id === '2'
        ? approve(call, run)
        : { type: 'person.decided', call_id: call.id, verdict: 'deny', by: 'Ada' },
  },
  'a process that died while a sub-agent worked': {
    agents: [
      agent('p', { orchestration: { subagents: [{ ref: 'a', alias: 'a' }], pipeline: ['a'] } }),
      agent('a', once),
    ],
    options: {
      reads: ['look'],
      tools: { look: () => new Promise(() => {}), send: () => 1 },
      says: { a: says(calls(['1', 'look', {}]), 'ok') },
    },
    run: async (world) => {
      const crash = new AbortController()
      const crashing = world.start({ signal: crash.signal })
      await settle(60)
      crash.abort()
      await crashing
      const next = world.die({ tools: { look: () => 'seen' } })
      next.clock.advance(1000)
      await next.resume()
      return next
    },
  },
  'memory that is passed to a sub-agent': {
    agents: [
      agent('p', {
        orchestration: {
          subagents: [{ ref: 'a', alias: 'a', pass_memory_keys: ['note'] }],
          pipeline: ['a'],
        },
        memory: [{ scope: 'task', key: 'note', content: 'Keep it short.' }],
      }),
      agent('a'),
    ],
    options: { says: { a: says('ok') } },
  },
  'a turn that runs out of time': {
    agents: [agent('a', { ...once, runtime: { timeout_seconds: 10 } })],
    options: {
      reads: ['look'],
      tools: { look: () => new Promise(() => {}), send: () => 1 },
      says: { a: says(calls(['1', 'look', {}])) },
    },
    run: async (world) => {
      const over = world.start()
      await settle()
      world.clock.advance(10_000)
      await over
    },
  },
  'a write whose outcome nobody knows at the end': {
    agents: [agent('a', { ...once, runtime: { timeout_seconds: 10 } })],
    options: {
      tools: { look: () => 1, send: () => new Promise(() => {}) },
      says: { a: says(calls(['1', 'send', { who: 'a' }])) },
    },
    run: async (world) => {
      const over = world.start()
      await settle()
      world.clock.advance(10_000)
      await settle()
      world.clock.advance(10_000)
      await over
      world.decide = ({ id }) => ({ type: 'person.decided', call_id: id, verdict: 'assume', by: 'Ada' })
      await world.resume()
    },
  },
  'hooks, one of which denies a call': {
    agents: [
      agent('a', {
        ...once,
        events: { on_start: 'begin', on_tool_call: 'check', on_complete: 'finish' },
      }),
    ],
    options: {
      tools: { send: () => 'sent', look: () => 1 },
      hooks: {
        begin: () => ({ ok: true }),
        check: ({ call }) =>
          call?.tool === 'send' ? { ok: true, veto: 'not today' } : { ok: true, message: 'fine' },
        finish: () => ({ ok: false, message: 'no disk' }),
      },
      says: { a: says(calls(['1', 'send', { who: 'a' }], ['2', 'look', {}]), 'ok') },
    },
  },
  'memory that is searched and saved': {
    agents: [agent('a', { memory: [{ scope: 'task', key: 'note', content: 'Keep it short.' }] })],
    options: {
      says: { a: says(calls(['1', 'memory_save', { key: 'k', content: 'c' }]), 'ok') },
    },
  },
  'a conversation of two turns': {
    agents: [agent('a', once)],
    options: {
      tools: { send: () => 'sent', look: () => 1 },
      says: { a: says('one', calls(['1', 'send', { who: 'a' }]), 'two') },
    },
    run: async (world) => {
      await world.start()
      world.clock.advance(3000)
      await world.drive({ type: 'user.said', input: 'and now?' })
    },
  },
  'a pause, a crash and a cancellation': {
    agents: [agent('a', once)],
    options: {
      reads: ['look'],
      tools: { look: () => 'seen', send: () => 1 },
      says: {
        a: (() => {
          let asked = 0
          return (_: ModelRequest, signal: AbortSignal) => {
            asked++
            if (asked === 1) return calls(['1', 'look', {}])
            return new Promise<string>((_done, reject) =>
              signal.addEventListener('abort', () => reject(signal.reason)),
            )
          }
        })(),
      },
    },
    run: async (world) => {
      let control: Control | undefined
      const keep = (given: Control) => {
        control = given
      }
      const driving = world.start({ control: keep })
      await settle()
      control?.pause('ann')
      await driving
      world.clock.advance(2000)
      const crash = new AbortController()
      const crashing = world.resume({ signal: crash.signal })
      await settle()
      crash.abort()
      await crashing
      world.clock.advance(2000)
      const last = world.resume({ control: keep })
      await settle()
      control?.cancel('ann')
      await last
    },
  },
  'a message to the turn in progress': {
    agents: [agent('a', once)],
    options: {
      reads: ['look'],
      tools: { look: () => new Promise((done) => setTimeout(() => done('seen'), 20)), send: () => 1 },
      says: { a: says(calls(['1', 'look', {}]), 'ok') },
    },
    run: async (world) => {
      let control: Control | undefined
      const keep = (given: Control) => {
        control = given
      }
      const driving = world.start({ control: keep })
      await settle()
      control?.steer('and be brief')
      await driving
    },
  },
  'a swarm whose workers end in another order': {
    agents: [
      agent('s', {
        orchestration: {
          subagents: ['a', 'b', 'c'].map((name) => ({ ref: name, alias: name })),
          parallel_execution: true,
          consensus: { strategy: 'first_to_complete' },
        },
      }),
      agent('a'),
      agent('b'),
      agent('c'),
    ],
    options: {
      says: {
        a: () => new Promise((done) => setTimeout(() => done('slow'), 40)),
        b: () => new Promise((done) => setTimeout(() => done('fast'), 5)),
        c: () => new Promise((done) => setTimeout(() => done('slow'), 40)),
        s: () => 'merged',
      },
    },
  },
  'a run whose process died, and that is not resumed': {
    agents: [agent('a', once)],
    options: {
      tools: { look: () => 1, send: () => new Promise(() => {}) },
      says: { a: says(calls(['1', 'send', { who: 'a' }])) },
    },
    run: async (world) => {
      const crash = new AbortController()
      const crashing = world.start({ signal: crash.signal })
      await settle()
      crash.abort()
      await crashing
    },
  },
})

/** Drives a world to the end of its program. */
async function recorded(t: Parameters<typeof FamilyWorld.open>[0], name: string): Promise<FamilyWorld> {
  const { agents, options, decide, run } = runs()[name] as Program
  const world = name in WORLDS ? await worldOf(t, name) : await FamilyWorld.open(t, agents, options)
  if (decide !== undefined) world.decide = decide
  const later = run === undefined ? await world.start() : await run(world)
  if (later instanceof FamilyWorld) return later
  if (run === undefined && world.stateOf(ROOT).end === null) await world.resume()
  return world
}

describe('a replay does the same as its run', () => {
  for (const name of Object.keys(runs())) {
    test(`${name}: the same steps, facts, result and usage, and nothing is sent`, async (t) => {
      const world = await recorded(t, name)
      assert.notEqual(world.stateOf(ROOT).end?.status, 'refused')
      const before = [world.sent.length, world.asked.length]
      const replayed = await replayOf(world)
      assertSame(world, replayed)
      assert.deepEqual([world.sent.length, world.asked.length], before)
    })
  }
})

describe('a replay', () => {
  test('takes no time, although its run has waited for a day', async (t) => {
    const world = await recorded(t, 'a question that is answered in the same process, and one after a day')
    const started = performance.now()
    const { state, runs } = await replayOf(world)
    assert.ok(performance.now() - started < 10_000)
    assert.ok((runs[0]?.events.at(-1)?.at ?? 0) >= state.started_at + 86_400_000)
  })

  test('is a run of its own, and every run in it names the run whose answers it has', async (t) => {
    const world = await recorded(t, 'a pipeline')
    const { runs } = await replayOf(world)
    const ids = [ROOT, world.runOf('a'), world.runOf('b')]
    assert.deepEqual(
      runs.map(({ header }) => header.replay),
      ids.map((run_id) => ({ run_id })),
    )
    assert.ok(runs.every(({ header }) => !ids.includes(header.run_id)))
    assert.deepEqual(
      runs.slice(1).map(({ header }) => header.parent?.root_run_id),
      [runs[0]?.header.run_id, runs[0]?.header.run_id],
    )
  })

  test('of a replay that was made twice is the same', async (t) => {
    const world = await recorded(t, 'a swarm')
    const [one, two] = [await replayOf(world), await replayOf(world)]
    assert.deepEqual(
      compareSteps(...([one, two].map(({ runs }) => stepsOf(runs[0]?.events ?? [])) as [never, never])),
      [],
    )
  })
})

describe('a replay from an event', () => {
  for (const name of ['calls of tools', 'a question to a person', 'a pipeline', 'a swarm']) {
    test(`${name}: from each event, it ends as its run`, async (t) => {
      const world = await recorded(t, name)
      const events = world.events()
      const end = world.stateOf(ROOT).end
      for (const { seq, decision } of events) {
        if (decision.end !== undefined) continue
        const { state, diverged, runs } = await replayOf(world, { at: seq })
        assert.equal(diverged, undefined, `at ${seq}: ${diverged?.message}`)
        assert.deepEqual(state.end, end, `at ${seq}`)
        assert.deepEqual(runs[0]?.header.replay, { run_id: ROOT, at: seq })
      }
    })
  }

  test('of an event that does not exist is refused', async (t) => {
    const world = await recorded(t, 'calls of tools')
    await assert.rejects(replayOf(world, { at: 999 }), { code: 'EVENT_NOT_FOUND' })
  })
})

/** Replays a world with a changed definition. */
async function changed(
  t: Parameters<typeof FamilyWorld.open>[0],
  world: FamilyWorld,
  agents: readonly JsonObject[],
  options: WorldOptions,
) {
  const { program } = await FamilyWorld.open(t, agents, options)
  return replayOf(world, {
    planned: { program, plans: [...program.family.values()].map(({ plan }) => plan) },
  })
}

describe('a replay with a changed definition', () => {
  const { agents, options } = runs()['calls of tools'] as Program

  test('notes the questions that are not the recorded ones', async (t) => {
    const world = await recorded(t, 'calls of tools')
    const replayed = await changed(
      t,
      world,
      [agent('a', { tools: [tool('look'), tool('send')], instructions: 'Be brief.' })],
      options,
    )
    assert.equal(replayed.diverged, undefined)
    assert.deepEqual(
      replayed.differences.map(({ question, differs }) => [question, differs]),
      [
        [1, ['instructions']],
        [2, ['instructions']],
        [3, ['instructions']],
      ],
    )
    assert.equal(replayed.state.end?.output, 'done')
  })

  const differences: readonly (readonly [what: string, members: JsonObject])[] = [
    ['model', { model: { provider: 'openai', preferred: 'gpt-4.1' } }],
    ['tools', { tools: [tool('look'), tool('send'), tool('book')] }],
    ['parameters', { model: { provider: 'openai', preferred: 'gpt-4o', params: { temperature: 0.1 } } }],
  ]
  for (const [what, members] of differences) {
    test(`notes a difference in ${what}`, async (t) => {
      const world = await recorded(t, 'calls of tools')
      const replayed = await changed(t, world, [agent('a', { ...once, ...members })], {
        ...options,
        tools: { ...options.tools, book: () => 1 },
      })
      assert.ok(
        replayed.differences[0]?.differs.includes(what as 'model'),
        JSON.stringify(replayed.differences[0]),
      )
    })
  }

  test('ends where a person would be asked who was not asked', async (t) => {
    const world = await recorded(t, 'calls of tools')
    const asking = agent('a', { ...once, compliance: { human_in_the_loop: { enabled: true } } })
    const { diverged, state, runs } = await changed(t, world, [asking], options)
    assert.equal(diverged?.code, 'REPLAY_DIVERGED')
    assert.equal(
      diverged?.message,
      `a would ask a person about call send {"who":"a"}, and run ${ROOT} has no answer to that`,
    )
    assert.deepEqual([state.end?.status, state.end?.error?.code], ['failed', 'REPLAY_DIVERGED'])
    const [first] = compareSteps(stepsOf(world.events()), stepsOf(runs[0]?.events ?? []))
    assert.ok(first !== undefined)
  })

  test('ends where the model would be asked once more', async (t) => {
    const world = await recorded(t, 'a tool that fails')
    const strict = agent('a', { ...once, io: { output_schema: { type: 'object' } } })
    const { diverged } = await changed(t, world, [strict], (runs()['a tool that fails'] as Program).options)
    assert.match(String(diverged?.message), /^a would ask its model a question number 3, /)
  })

  test('ends where another sub-agent would be called', async (t) => {
    const world = await recorded(t, 'a pipeline')
    const { agents: before, options: doubles } = runs()['a pipeline'] as Program
    const longer = before.map((one, index) =>
      index === 0
        ? agent('p', {
            orchestration: {
              subagents: ['a', 'b'].map((name) => ({ ref: name, alias: name })),
              pipeline: ['a', 'b', 'a'],
            },
          })
        : one,
    )
    const { diverged } = await changed(t, world, longer, doubles)
    assert.match(String(diverged?.message), /^p would call the sub-agent a, /)
  })

  test('ends where a hook would be called that was not there', async (t) => {
    const world = await recorded(t, 'calls of tools')
    const hooked = agent('a', { ...once, events: { on_start: 'begin' } })
    const { diverged } = await changed(t, world, [hooked], {
      ...options,
      hooks: { begin: () => ({ ok: true }) },
    })
    assert.match(String(diverged?.message), /^a would call the hook on_start, /)
  })

  test('uses each answer once', async (t) => {
    const world = await recorded(t, 'a tool that fails')
    const twice = world.events().map((event) => {
      if (event.fact.type !== 'model.answered' || event.fact.attempt !== 1) return event
      const made = event.fact.message.calls.flatMap((call) => [call, { ...call, id: 'again' }])
      return { ...event, fact: { ...event.fact, message: { ...event.fact.message, calls: made } } }
    })
    world.lines.set(ROOT, twice.map(encodeEvent))
    const { diverged } = await replayOf(world)
    assert.match(String(diverged?.message), /^a would call send \{"who":"a"\}, /)
  })

  test('notes a conversation that is not the recorded one', async (t) => {
    const world = await recorded(t, 'a tool that fails')
    const narrow = {
      ...tool('send'),
      parameters_schema: { type: 'object', properties: { who: { type: 'number' } } },
    }
    const replayed = await changed(
      t,
      world,
      [agent('a', { tools: [tool('look'), narrow] })],
      (runs()['a tool that fails'] as Program).options,
    )
    assert.deepEqual(
      replayed.differences.map(({ differs }) => differs),
      [['tools'], ['messages', 'tools']],
    )
  })

  test('ends where a call with other arguments would be sent', async (t) => {
    const world = await recorded(t, 'calls of tools')
    const lines = world.lines.get(ROOT) ?? []
    const other = lines.map((line) =>
      line.includes('model.answered') ? line : line.replaceAll('"who":"b"', '"who":"c"'),
    )
    world.lines.set(
      ROOT,
      other.map((line) => line.replace(/("decision":\{.*)"who":"b"/, '$1"who":"c"')),
    )
    const { diverged } = await replayOf(world)
    assert.match(String(diverged?.message), /^a would call send \{"who":"b"\}, /)
  })

  test('a limit that is lower ends it as it would have ended', async (t) => {
    const world = await recorded(t, 'calls of tools')
    const low = agent('a', { ...once, orchestration: { max_iterations: 1 } })
    const { state, diverged } = await changed(t, world, [low], options)
    assert.deepEqual([diverged, state.end?.error?.code], [undefined, 'MAX_ITERATIONS_EXCEEDED'])
    assert.ok(agents.length > 0)
  })
})

test('the replay of a run that waits, waits as well', async (t) => {
  const world = await recorded(t, 'a question that is still open')
  const { state }: { readonly state: RunState } = await replayOf(world)
  assert.equal(state.status, 'waiting')
})
