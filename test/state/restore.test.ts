import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { JsonObject } from '../../src/document/json.ts'
import type { ModelRequest } from '../../src/run/ports.ts'
import { encodeEvent } from '../../src/run/record/event-line.ts'
import type { RunState } from '../../src/run/state.ts'
import type { AgentState } from '../../src/spec/aaif/generated/state.ts'
import type { RestoredRun } from '../../src/state/restore-state.ts'
import { withStateChecksum } from '../../src/trust/checksum.ts'
import { agent } from '../run/family.ts'
import { FamilyWorld, ROOT, settle, type WorldOptions } from '../run/family-world.ts'
import { calls } from '../run/fixture.ts'
import { captureOf, placed, restored, restoredState, stateOfRun } from './captured.ts'

const AGENT_ID = '0b0c8f5e-7a55-4f0e-9a6b-6a3f0f0a1b2c'
const NEW = '01a1ffb2-5c00-7000-8000-00000000000f'
const tool = (name: string) => ({ name, description: 'Does it.', parameters_schema: { type: 'object' } })

/** An agent that looks, sends, and answers. */
async function worldOf(t: TestContext, members: JsonObject = {}, options: Partial<WorldOptions> = {}) {
  return FamilyWorld.open(
    t,
    [
      {
        ...agent('a', { version: '1.2.0', tools: [tool('look'), tool('book'), tool('send')], ...members }),
        agent_id: AGENT_ID,
      },
    ],
    {
      reads: ['look'],
      tools: { look: () => ({ seen: 1 }), book: () => 'booked', send: () => 'sent' },
      says: {
        a: ({ messages }) =>
          messages.length === 1
            ? calls(['1', 'look', {}])
            : messages.length === 3
              ? calls(['2', 'send', { who: 'b' }])
              : 'done',
      },
      ...options,
    },
  )
}

/** Returns the state of a run after the first event that fits. */
async function stopAfter(world: FamilyWorld, fits: (state: RunState) => boolean): Promise<RunState> {
  const reached = new AbortController()
  let found: RunState | undefined
  await world.start({
    signal: reached.signal,
    onEvent: (_event, state) => {
      if (found !== undefined || state.run_id !== ROOT || !fits(state)) return
      found = state
      reached.abort()
    },
  })
  assert.ok(found)
  return found
}

/** A state of another platform: without `x-waybill`. */
function foreign(world: FamilyWorld, members: Partial<AgentState> = {}): AgentState {
  const { agent_id } = world.program.plan
  return {
    sc_standard: 'SC-006',
    state_id: '0b9f3f0e-6d52-4d1f-8f5a-5f0c9f6f1a01',
    agent_id,
    checkpoint_at: '2026-03-01T09:00:00Z',
    status: 'paused',
    ...members,
  }
}

const waits = (state: RunState) => state.calls.some(({ status }) => status === 'sent')

describe('AAIF §8.1 restoring an Agent State', () => {
  test('SPEC-Q-10: the report names a version of the format that is not known here', async (t) => {
    const world = await worldOf(t)
    const entryOf = (sc_version: string) =>
      restored(foreign(world, { sc_version }), world.program).report.entries.find(
        ({ part }) => part === 'sc_version',
      )
    assert.deepEqual(entryOf('4.0.0'), {
      part: 'sc_version',
      status: 'approximated',
      note: '4.0.0 is not known here: the state is read as 3.4.0',
    })
    for (const known of ['1.0.0', '3.0.0', '3.4.0']) assert.equal(entryOf(known)?.status, 'kept')
  })
  test('AAIF-8-01: after a restore earlier questions are not asked again, and the run ends as it would have', async (t) => {
    const world = await worldOf(t)
    const state = await stopAfter(world, ({ iteration, attempt }) => iteration === 1 && attempt !== null)
    const next = placed(world, restored(captureOf(world, state), world.program, { fork: false }))
    const before = world.asked.length
    const end = await next.resume()
    assert.equal(end.end?.output, 'done')
    assert.deepEqual(
      [before, next.asked.length, end.iteration],
      [2, 2, 3],
      'the open question, and the last one',
    )
  })

  test('a state of a run that was paused in mid-generation continues its answer', async (t) => {
    const questions: (readonly string[])[] = []
    const says = {
      a: ({ messages }: ModelRequest) => {
        questions.push(messages.map(({ role }) => role))
        return ' on Monday.'
      },
    }
    const world = await worldOf(t, {}, { says })
    const asked = await stopAfter(world, ({ attempt }) => attempt !== null)
    world.lines.get(ROOT)?.push(
      encodeEvent({
        seq: asked.seq + 1,
        at: asked.at,
        fact: { type: 'run.paused', by: 'ann', partial: 'It left Bern' },
        decision: { abort: 'model' },
      }),
    )
    const before = questions.length
    const document = captureOf(world, world.stateOf(ROOT))
    const next = placed(world, restored(document, world.program, { fork: false, trusted: false }))
    assert.equal((await next.resume()).end?.output, 'It left Bern on Monday.')
    assert.deepEqual(questions.slice(before), [['user', 'assistant', 'user']])
    const { 'x-waybill': _member, ...bare } = document
    const foreignState = withStateChecksum(bare as unknown as JsonObject) as unknown as AgentState
    const other = placed(world, restored(foreignState, world.program, { fork: false }))
    assert.equal((await other.resume()).end?.output, ' on Monday.', 'the question is asked again')
  })

  test('AAIF-8.1-05: the iteration count continues, so that max_iterations holds', async (t) => {
    const again = { a: () => calls(['x', 'look', {}]) }
    const world = await worldOf(t, { orchestration: { max_iterations: 10 } }, { says: again })
    const state = await stopAfter(world, ({ iteration, calls: made }) => iteration === 9 && made.length === 0)
    for (const document of [
      captureOf(world, state),
      foreign(world, { iteration: 9, conversation: [{ role: 'user', content: 'go' }] }),
    ]) {
      const next = placed(world, restored(document, world.program, { fork: false }))
      const end = await next.resume()
      assert.equal(end.end?.error?.code, 'MAX_ITERATIONS_EXCEEDED')
      assert.equal(next.asked.length, 1, 'one more answer')
    }
  })

  test('AAIF-8.1-09: every pending call is sent again, closed or put to a person, and none is lost', async (t) => {
    const says = {
      a: ({ messages }: { messages: readonly unknown[] }) =>
        messages.length === 1
          ? calls(['1', 'look', {}], ['2', 'send', { who: 'b' }], ['3', 'gone', {}])
          : 'done',
    }
    const world = await worldOf(
      t,
      {},
      { says, tools: { look: () => new Promise(() => {}), send: () => new Promise(() => {}) } },
    )
    const state = await stopAfter(world, waits)
    const document = captureOf(world, state)
    assert.deepEqual(
      document.pending_tool_calls?.map(({ id, tool_name, status }) => [id, tool_name, status]),
      [
        ['1', 'look', 'in_flight'],
        ['2', 'send', 'in_flight'],
      ],
      'a call of an unknown tool is answered already',
    )
    const next = placed(world, restored(document, world.program, { runId: NEW, fork: true }))
    assert.deepEqual(
      next.stateOf(NEW).calls.map(({ id, status }) => [id, status]),
      [
        ['1', 'sent'],
        ['2', 'unknown'],
        ['3', 'done'],
      ],
    )
  })

  test('AAIF-8.1-09: a call of a tool that this platform does not have is closed as failed', async (t) => {
    const world = await worldOf(
      t,
      {},
      {
        tools: { look: () => 1, book: () => new Promise(() => {}), send: () => 1 },
        says: { a: () => calls(['1', 'book', {}]) },
      },
    )
    const state = await stopAfter(world, waits)
    const other = await worldOf(t, { tools: [tool('look')] })
    const { runs, report } = restored(captureOf(world, state), other.program, { fork: false })
    const [call] = stateOfRun(runs[0] as RestoredRun).calls
    assert.deepEqual([call?.status, call?.error], ['done', true])
    assert.ok(
      report.entries.some(({ part, status }) => part === 'pending_tool_calls 1' && status === 'left_behind'),
    )
  })

  test('AAIF-8.1-09: a run that waited for an approval of such a call continues with the error', async (t) => {
    const asks = { compliance: { human_in_the_loop: { enabled: true } } }
    const world = await worldOf(t, asks, { says: { a: () => calls(['1', 'send', { who: 'b' }]) } })
    const state = await stopAfter(world, ({ status }) => status === 'waiting')
    const other = await worldOf(t, { tools: [tool('look')], ...asks }, { says: { a: () => 'without it' } })
    for (const fork of [true, false]) {
      const family = restored(captureOf(world, state), other.program, { fork, trusted: false })
      assert.equal(stateOfRun(family.runs[0] as RestoredRun).status, 'running')
      assert.equal((await placed(other, family).resume()).end?.output, 'without it')
    }
    const kept = restored(captureOf(world, state), world.program, { fork: false })
    assert.equal(stateOfRun(kept.runs[0] as RestoredRun).status, 'waiting', 'it is still asked here')
  })

  describe('a pending call of a state from a file passes the gates of this platform', () => {
    const pending = (t: TestContext, call: JsonObject, members: JsonObject = {}) =>
      worldOf(t, members).then((world) => {
        const document = foreign(world, {
          conversation: [{ role: 'user', content: 'go' }],
          pending_tool_calls: [{ id: '1', tool_name: 'look', arguments: {}, ...call }] as never,
        })
        return restoredState(document, world.program, { trusted: false }).calls[0]
      })
    const asks = { compliance: { human_in_the_loop: { enabled: true } } }
    const strictLook = [
      { ...tool('look'), parameters_schema: { type: 'object', required: ['x'] } },
      tool('send'),
    ]
    for (const [what, call, members, status, error] of [
      ['a read that was in flight is sent again', { status: 'in_flight' }, {}, 'sent', undefined],
      ['a read that was not sent yet is sent', { status: 'pending' }, {}, 'sent', undefined],
      [
        'a write is put to a person, sent or not',
        { tool_name: 'send', status: 'pending' },
        {},
        'unknown',
        undefined,
      ],
      [
        'a write is put to a person with approval too',
        { tool_name: 'send', status: 'in_flight' },
        asks,
        'unknown',
        undefined,
      ],
      [
        'arguments that break the schema close it',
        { status: 'in_flight' },
        { tools: strictLook },
        'done',
        true,
      ],
      [
        'a rule of the agent closes it',
        { status: 'in_flight' },
        { constraints: ['Never call look.'] },
        'done',
        true,
      ],
    ] as const)
      test(what, async (t) => {
        const made = await pending(t, call, members)
        assert.deepEqual([made?.status, made?.error], [status, error])
      })

    test('a state that claims to have the same plan, and a call that is harmless, gains nothing', async (t) => {
      const world = await worldOf(t, asks, {
        says: { a: () => calls(['1', 'send', { who: 'b' }]) },
      })
      const state = await stopAfter(world, ({ calls: made }) => made.length > 0)
      const document = captureOf(world, state)
      const forged = JSON.parse(JSON.stringify(document))
      Object.assign(forged['x-waybill'].run.calls[0], { status: 'sent', effect: 'none' })
      for (const fork of [true, false]) {
        const [call] = restoredState(forged, world.program, { trusted: false, fork }).calls
        assert.deepEqual([call?.effect, call?.status], ['once', 'unknown'])
      }
    })
  })

  test('AAIF-8.1-11: variables come back unchanged, and leave unchanged again', async (t) => {
    const world = await worldOf(t)
    const variables = { order: { id: 7, lines: [1, null, 'x'] }, seen: false }
    const state = restoredState(foreign(world, { variables }), world.program)
    assert.deepEqual(state.variables, variables)
    assert.deepEqual(captureOf(world, state).variables, variables)
  })

  test('the hand-off rules that have fired are those of the same definition only', async (t) => {
    const world = await worldOf(t)
    const document = JSON.parse(JSON.stringify(captureOf(world, await stopAfter(world, waits))))
    document['x-waybill'].run.handed_off = [0]
    assert.deepEqual(restoredState(document, world.program).handed_off, [0])
    const other = await worldOf(t, { version: '2.0.0' })
    assert.deepEqual(restoredState(document, other.program).handed_off, [])
  })

  for (const status of ['completed', 'failed'] as const)
    test(`a ${status} state is refused with the reason`, async (t) => {
      const world = await worldOf(t)
      const error = { code: 'TIMEOUT', message: 'too late', step: 'x', retries_remaining: 0 }
      assert.throws(
        () => restored(foreign(world, { status, ...(status === 'failed' && { error }) }), world.program),
        {
          code: 'STATE_NOT_RESUMABLE',
          message: status === 'failed' ? /has failed.*TIMEOUT too late/ : /has completed/,
        },
      )
    })

  test('a state of another agent is refused', async (t) => {
    const world = await worldOf(t)
    assert.throws(
      () => restored(foreign(world, { agent_id: '6f1b1a52-2d0f-4c39-9a6e-0d8b8c2f4f10' }), world.program),
      {
        code: 'STATE_OTHER_AGENT',
      },
    )
  })

  test('SPEC-Q-07: the state names the version of the agent, and another version is reported with its meaning', async (t) => {
    const world = await worldOf(t)
    const state = await stopAfter(world, waits)
    const document = captureOf(world, state)
    assert.equal(document.agent_version, '1.2.0')
    const meaningOf = async (version: string) => {
      const other = await worldOf(t, { version })
      const { report } = restored(document, other.program, { fork: false })
      return report.entries.find(({ part }) => part === 'agent_version')
    }
    assert.equal((await meaningOf('1.2.0'))?.status, 'kept')
    for (const [version, meaning] of [
      ['1.2.5', /corrections only/],
      ['1.3.0', /compatible change/],
      ['2.0.0', /another major version/],
    ] as const) {
      const entry = await meaningOf(version)
      assert.equal(entry?.status, 'approximated')
      assert.match(entry?.note ?? '', meaning)
    }
  })
})

describe('AAIF §8.1 the memory of a state', () => {
  const memory = [
    { scope: 'task', key: 'note', content: 'Short.' },
    { scope: 'user', key: 'name', content: 'Ada.', backend: 'sqlite' },
    { scope: 'session', key: 'topic', content: 'Boats.', backend: 'sqlite' },
    { scope: 'long_term', key: 'rule', content: 'Be kind.', backend: 'sqlite' },
  ]
  const snapshot = memory.map(({ scope, key, content }) => ({ scope, key, content, backend: 'redis' }))

  test('SPEC-Q-06, SPEC-Q-09: items of a session or a user are not loaded for another user', async (t) => {
    const world = await worldOf(t, { memory })
    const captured = captureOf(world, await stopAfter(world, waits))
    const leftFor = async (options: { user?: string; session?: string }, document: AgentState) => {
      const { report } = restored(document, world.program, options)
      return report.entries.flatMap(({ part, status, note }) =>
        part.startsWith('memory_snapshot') && status === 'left_behind' ? [note] : [],
      )
    }
    const items = { memory_snapshot: snapshot as AgentState['memory_snapshot'] & object }
    const own = { ...captured, ...items, 'x-waybill': { ...(captured['x-waybill'] as object), user: 'ada' } }
    assert.match(
      (await leftFor({ user: 'eve', session: 's1' }, own as AgentState)).join('\n'),
      /name: it belongs to another user\ntopic: it belongs to another user/,
    )
    // The state of another platform does not say whose they are: the restore names the user.
    assert.match(
      (await leftFor({}, foreign(world, items))).join('\n'),
      /name: .* name the user with --user\ntopic: .* name the user with --user/,
    )
    assert.match(
      (await leftFor({ user: 'eve' }, foreign(world, items))).join('\n'),
      /topic: .* with --session/,
    )
    const named = (await leftFor({ user: 'eve', session: 's1' }, foreign(world, items))).join('\n')
    assert.doesNotMatch(named, /does not say/)
  })

  test('SPEC-Q-03, AAIF-8.1-22: the remaining time of an item applies, and 0 seconds mean that it never expires', async (t) => {
    const world = await worldOf(t, {
      memory: [{ scope: 'task', key: 'note', content: 'x', ttl_seconds: 1000 }],
    })
    const at = 5_000_000
    const items = [
      { scope: 'task', key: 'short', content: 'a', ttl_remaining_seconds: 30 },
      { scope: 'task', key: 'permanent', content: 'b', ttl_remaining_seconds: 0 },
      { scope: 'task', key: 'ever', content: 'c' },
    ] as const
    const { runs } = restored(foreign(world, { memory_snapshot: items }), world.program, { at })
    const state = stateOfRun(runs[0] as RestoredRun)
    assert.deepEqual(
      state.memory.map(({ key, expires_at }) => [key, expires_at]),
      [
        ['short', at + 30_000],
        ['permanent', null],
        ['ever', null],
      ],
    )
    const again = captureOf(world, { ...state, at: at + 30_000 })
    assert.deepEqual(
      again.memory_snapshot?.map(({ key, ttl_remaining_seconds }) => [key, ttl_remaining_seconds]),
      [
        ['permanent', undefined],
        ['ever', undefined],
      ],
      'an expired item is not captured',
    )
  })

  test('SPEC-Q-08: an item has no embedding, and its backend is only information', async (t) => {
    const world = await worldOf(t, { memory: [{ scope: 'task', key: 'note', content: 'Short.' }] })
    const state = await stopAfter(world, waits)
    const [item] = captureOf(world, state).memory_snapshot ?? []
    assert.deepEqual(Object.keys(item ?? {}).sort(), ['backend', 'captured_at', 'content', 'key', 'scope'])
    const redis = foreign(world, {
      memory_snapshot: [{ scope: 'task', key: 'k', content: 'v', backend: 'redis' }],
    })
    const back = restoredState(redis, world.program)
    assert.deepEqual(
      back.memory.map(({ key, content }) => [key, content]),
      [['k', 'v']],
    )
  })
})

describe('AAIF §8.1 the conversation of a state', () => {
  test('AAIF-8.1-07: it is cut from the oldest end to the window, and no result is kept without its call', async (t) => {
    const world = await worldOf(t)
    const long = 'word '.repeat(200)
    const conversation = Array.from({ length: 20 }, (_none, n) => [
      { role: 'user', content: `question ${n} ${long}` },
      { role: 'assistant', content: '' },
      { role: 'tool', content: '1', tool_call_id: `c${n}`, tool_name: 'look' },
      { role: 'assistant', content: `answer ${n}` },
    ]).flat() as AgentState['conversation'] & object
    const [model, ...others] = world.program.plan.models
    assert.ok(model)
    const plan = { ...world.program.plan, models: [{ ...model, context_window: 2000 }, ...others] }
    const { runs, report } = restored(foreign(world, { conversation }), { ...world.program, plan })
    const messages = runs.flatMap(({ facts }) =>
      facts.flatMap((fact) => (fact.type === 'messages.restored' ? fact.messages : [])),
    )
    assert.ok(messages.length > 4 && messages.length < 80, String(messages.length))
    assert.equal(messages[0]?.role, 'user')
    const last = messages.at(-1)
    assert.deepEqual(last, { role: 'assistant', text: 'answer 19', calls: [] })
    for (const [index, message] of messages.entries()) {
      if (message.role !== 'tool') continue
      const caller = messages[index - 1]
      assert.ok(caller?.role === 'assistant' && caller.calls.some(({ id }) => id === message.call_id))
    }
    const again = restored(foreign(world, { conversation: conversation.slice(0, 4) }), {
      ...world.program,
      plan,
    })
    assert.equal(again.runs[0]?.facts.length, 2, 'what fits is not cut')
    assert.equal(
      again.report.entries.find(({ part, status }) => part === 'conversation' && status === 'kept')?.note,
      '4 messages',
    )
    assert.ok(report.entries.some(({ part, status }) => part === 'conversation' && status === 'approximated'))
  })
})

describe('AAIF §8.2 the position of a state', () => {
  const step = (name: string) => ({ ...agent(name), agent_id: `0b0c8f5e-7a55-4f0e-9a6b-6a3f0f0a1b0${name}` })
  const pipeline = (t: TestContext, beforeB: () => Promise<void> = async () => {}) =>
    FamilyWorld.open(
      t,
      [
        {
          ...agent('p', {
            orchestration: {
              subagents: ['a', 'b', 'c'].map((ref) => ({ ref, alias: ref })),
              pipeline: ['a', 'b', 'c'],
            },
          }),
          agent_id: AGENT_ID,
        },
        ...['a', 'b', 'c'].map(step),
      ],
      {
        says: {
          a: () => 'one',
          b: async ({ messages }) => {
            await beforeB()
            return `${lastText(messages)}>b`
          },
          c: ({ messages }) => `${lastText(messages)}>c`,
        },
      },
    )
  const lastText = (messages: readonly unknown[]) => (messages.at(-1) as { text: string }).text

  test('AAIF-8.2-06: a foreign pipeline resumes at its current step, with the output of the step before', async (t) => {
    const world = await pipeline(t)
    const document = foreign(world, {
      conversation: [{ role: 'user', content: 'go' }],
      pipeline_position: { current_step: 'b', completed_steps: ['a'], remaining_steps: ['c'] },
      subagent_states: [{ alias: 'a', agent_id: AGENT_ID, status: 'completed', output: 'elsewhere' }],
    })
    const next = placed(world, restored(document, world.program, { fork: false }))
    const end = await next.resume()
    assert.deepEqual([end.end?.output, next.asked], ['elsewhere>b>c', ['b', 'c']])
  })

  test('AAIF-8.2-06: a step that the definition does not have is refused', async (t) => {
    const world = await pipeline(t)
    assert.throws(
      () => restored(foreign(world, { pipeline_position: { current_step: 'z' } }), world.program),
      {
        code: 'STATE_POSITION_UNKNOWN',
        message: /at the step z/,
      },
    )
  })

  test('AAIF-8.1-10: an active sub-agent has a state of its own, and continues with it', async (t) => {
    const stopped = new AbortController()
    const world = await pipeline(t, async () => {
      if (stopped.signal.aborted) return
      await settle()
      stopped.abort()
      await new Promise(() => {})
    })
    await world.start({ signal: stopped.signal })
    const state = world.stateOf(ROOT)
    const document = captureOf(world, state)
    const linked = document.subagent_states?.find(({ alias }) => alias === 'b')
    const { documents } = document['x-waybill'] as unknown as { documents: readonly AgentState[] }
    assert.deepEqual(
      [documents.map(({ state_id }) => state_id), documents[0]?.run_id],
      [[linked?.state_id], world.runOf('b')],
    )
    assert.deepEqual(
      document.subagent_states?.map(({ alias, status }) => [alias, status]),
      [
        ['a', 'completed'],
        ['b', 'running'],
        ['c', 'pending'],
      ],
    )
    assert.deepEqual(document.pipeline_position, {
      current_step: 'b',
      completed_steps: ['a'],
      remaining_steps: ['c'],
      current_subagent: 'b',
    })
    const family = restored(document, world.program, { runId: NEW, fork: true })
    assert.equal(family.runs.length, 2)
    assert.notEqual(family.runs[1]?.runId, world.runOf('b'), 'a fork has sub-agents of its own')
    assert.equal(family.runs[1]?.parent?.run_id, NEW)
    // A state may be edited or foreign: the run of a sub-agent that has ended is not restored beside its answer.
    const member = document['x-waybill'] as unknown as { run: { calls: readonly { agent?: object }[] } }
    const calls = member.run.calls.map((call) =>
      call.agent === undefined ? call : { ...call, status: 'done', result: 'known' },
    )
    const ended = {
      ...document,
      'x-waybill': { ...member, run: { ...member.run, calls } },
    } as unknown as AgentState
    assert.equal(restored(ended, world.program, { runId: NEW, fork: true }).runs.length, 1)
    const own = placed(world, restored(document, world.program, { fork: false }))
    assert.equal((await own.resume()).end?.output, 'one>b>c')
    assert.equal(own.asked.filter((name) => name === 'a').length, 0, 'the first step is not repeated')
  })
})
