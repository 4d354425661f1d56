import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { JsonObject } from '../../src/document/json.ts'
import type { RunState } from '../../src/run/state.ts'
import type { AgentState, StateMessage } from '../../src/spec/aaif/generated/state.ts'
import { validateAgentState } from '../../src/spec/aaif/validate-agent-state.ts'
import { withStateChecksum } from '../../src/trust/checksum.ts'
import { agent } from '../run/family.ts'
import { FamilyWorld, type WorldOptions } from '../run/family-world.ts'
import { calls } from '../run/fixture.ts'
import { captureOf, plainState, restored, restoredState } from './captured.ts'
import { WORLDS, worldOf } from './captured-worlds.ts'

const tool = (name: string) => ({ name, description: 'Does it.', parameters_schema: { type: 'object' } })
const TOOLS = [tool('look'), tool('send')]

const open = (t: TestContext, members: JsonObject, options: WorldOptions): Promise<FamilyWorld> =>
  FamilyWorld.open(t, [agent('a', members)], options)

/** Other than that the agents of this test have no UUIDs. */
const issuesOf = (document: AgentState) =>
  validateAgentState(document as never).filter(({ code }) => code !== 'FORMAT_MISMATCH')

/** Reads the members of the draft alone, as a platform without `x-waybill` does. */
function readByOthers({ 'x-waybill': _own, ...members }: AgentState): AgentState {
  return withStateChecksum(members as unknown as JsonObject) as unknown as AgentState
}

/** Returns for each result the message that made its call: the last one before it that names the call. */
function paired(conversation: readonly StateMessage[]): readonly (readonly [string, string | undefined])[] {
  return conversation.flatMap(({ role, tool_call_id }, index) => {
    if (role !== 'tool') return []
    const maker = conversation
      .slice(0, index)
      .findLast((one) => one.role === 'assistant' && one.tool_call_id === tool_call_id)
    return [[tool_call_id ?? '', maker?.tool_name] as const]
  })
}

describe('AAIF §8.1 a state as other platforms read it', () => {
  test('AAIF-8.1-16: assistant messages name the calls that they made, one each, and every result has its call', async (t) => {
    const world = await worldOf(t, 'calls of tools')
    const document = captureOf(world, await world.start())
    const { conversation = [] } = document
    assert.deepEqual(
      conversation.map(({ role, tool_call_id, tool_name }) => [role, tool_call_id, tool_name]),
      [
        ['user', undefined, undefined],
        ['assistant', '1', 'look'],
        ['assistant', '2', 'send'],
        ['tool', '1', 'look'],
        ['tool', '2', 'send'],
        ['assistant', '3', 'send'],
        ['tool', '3', 'send'],
        ['assistant', undefined, undefined],
      ],
    )
    assert.deepEqual(paired(conversation), [
      ['1', 'look'],
      ['2', 'send'],
      ['3', 'send'],
    ])
    assert.deepEqual(issuesOf(document), [])
  })

  test('AAIF-8.1-16: the text of an answer occurs once, and its tokens are counted once', async (t) => {
    const world = await open(
      t,
      { tools: TOOLS },
      {
        reads: ['look', 'send'],
        tools: { look: () => 1, send: () => 2 },
        says: {
          a: ({ messages }) =>
            messages.length > 1
              ? 'done'
              : {
                  ...calls(['1', 'look', { a: 'x'.repeat(200) }], ['2', 'send', {}], ['3', 'look', {}]),
                  message: {
                    role: 'assistant',
                    text: 'I look twice, and send once.',
                    calls: [
                      { id: '1', tool: 'look', args: { a: 'x'.repeat(200) } },
                      { id: '2', tool: 'send', args: {} },
                      { id: '3', tool: 'look', args: {} },
                    ],
                  },
                },
        },
      },
    )
    const state = await world.start()
    const { conversation = [] } = captureOf(world, state)
    const parts = conversation.filter(
      ({ role, tool_call_id }) => role === 'assistant' && tool_call_id !== undefined,
    )
    assert.deepEqual(
      parts.map(({ content }) => content),
      ['I look twice, and send once.', '', ''],
    )
    const whole = conversation.reduce((sum, { token_count = 0 }) => sum + token_count, 0)
    const single = state.messages.toArray().length
    assert.ok(parts.every(({ token_count = -1 }) => token_count >= 0))
    assert.ok(whole > single)
  })

  for (const name of Object.keys(WORLDS))
    test(`AAIF-8.1-16, ${name}: without x-waybill the conversation has the same texts and calls, nothing twice`, async (t) => {
      const world = await worldOf(t, name)
      const states: RunState[] = []
      let openResults = 0
      await world.start({
        onEvent: (_event, state) => {
          if (state.end === null) states.push(state)
        },
      })
      for (const state of states.filter(({ plan_hash }) => plan_hash === world.program.hash)) {
        const document = captureOf(world, state)
        const back = restoredState(readByOthers(document), world.program)
        const own = restoredState(document, world.program)
        const shape = (one: RunState) =>
          one.messages
            .toArray()
            .map((message) => [
              message.role,
              message.role === 'assistant'
                ? message.calls.map(({ id }) => id)
                : message.role === 'tool'
                  ? message.call_id
                  : message.text,
            ])
        // The results of the open round, which a platform without a ledger would take for lost.
        const open = state.calls
          .filter(({ status, agent: of, tool: name }) => status === 'done' && name !== of?.alias)
          .map(({ id }) => ['tool', id])
        assert.deepEqual(shape(back), [...shape(own), ...open], `after event ${state.seq}`)
        openResults += open.length
        assert.deepEqual(plainState(own).messages, plainState(state).messages)
      }
      assert.equal(openResults > 0, name === 'calls of tools')
    })

  test('AAIF-8.1-16: memory, answers of others and requests for a repair are not words of the user', async (t) => {
    const world = await open(
      t,
      { memory: [{ scope: 'task', key: 'note', content: 'Keep it short.' }] },
      { says: { a: () => 'done' } },
    )
    const state = await world.start()
    const runtime = [
      { role: 'user', text: 'memory as data', recalled: ['task/note'] },
      { role: 'user', text: 'answers as data', others: true },
      { role: 'user', text: 'write it again', repair: true },
    ] as const
    const input = { role: 'user', text: 'from a trigger', triggered: true } as const
    const all = [...state.messages.toArray(), ...runtime, input]
    const times = [...state.message_times.toArray(), 1, 2, 3, 4]
    const log = <T>(items: readonly T[], like: { readonly constructor: unknown }): never => {
      const from = Object.getPrototypeOf(like).constructor as { of?: (items: readonly T[]) => never }
      return (from.of?.(items) ?? {
        length: items.length,
        at: (n: number) => items.at(n),
        toArray: () => items,
      }) as never
    }
    const captured = captureOf(world, {
      ...state,
      end: null,
      status: 'paused',
      messages: log(all, state.messages),
      message_times: log(times, state.message_times),
    })
    const added = (captured.conversation ?? []).slice(-4)
    assert.deepEqual(
      added.map(({ role, content }) => [role, content]),
      [
        ['system', 'memory as data'],
        ['system', 'answers as data'],
        ['system', 'write it again'],
        ['user', 'from a trigger'],
      ],
    )
    // Here they are exactly what they were.
    const own = restoredState(captured, world.program).messages.toArray()
    assert.deepEqual(JSON.parse(JSON.stringify(own.slice(-4))), [...runtime, input])
    // Elsewhere the last words of the user are the input.
    assert.equal(restoredState(readByOthers(captured), world.program).input, 'from a trigger')
  })

  test('a state of an earlier version, whose answers name no calls, is read as before', async (t) => {
    const world = await worldOf(t, 'calls of tools')
    const state = await world.start({
      onEvent: () => {},
    })
    const document = captureOf(world, { ...state, end: null, status: 'paused' })
    const member = document['x-waybill'] as unknown as { messages: readonly { at: number }[] }
    // One message for each answer, without the members that name a call.
    const kept = (document.conversation ?? []).flatMap((message, at) =>
      message.role === 'assistant' && message.tool_call_id === '2' ? [] : [{ message, at }],
    )
    const earlier = {
      ...document,
      conversation: kept.map(({ message: { tool_call_id, tool_name, ...message } }) =>
        message.role === 'tool' ? { ...message, tool_call_id, tool_name } : message,
      ),
      'x-waybill': {
        ...member,
        messages: member.messages.map((one) => ({ ...one, at: kept.findIndex(({ at }) => at === one.at) })),
      },
    } as unknown as AgentState
    const messages = (one: AgentState) => JSON.stringify(restoredState(one, world.program).messages)
    assert.equal(messages(earlier), messages(document))
  })
})

describe('AAIF §8.1 foreign conversations', () => {
  const messagesOf = async (
    t: TestContext,
    conversation: readonly StateMessage[],
    more: Partial<AgentState> = {},
  ) => {
    const world = await open(
      t,
      { tools: TOOLS },
      { tools: { look: () => 1, send: () => 2 }, says: { a: () => '' } },
    )
    const { runs } = restored(
      {
        sc_standard: 'SC-006',
        state_id: '0b9f3f0e-6d52-4d1f-8f5a-5f0c9f6f1a01',
        agent_id: world.program.plan.agent_id,
        checkpoint_at: '2026-03-01T09:00:00Z',
        status: 'paused',
        conversation,
        ...more,
      },
      world.program,
    )
    return runs[0]?.facts.flatMap((fact) =>
      fact.type !== 'messages.restored'
        ? []
        : fact.messages.map((message) =>
            message.role === 'assistant'
              ? ['assistant', message.text, ...message.calls.map(({ id, tool }) => `${id} ${tool}`)]
              : message.role === 'tool'
                ? ['tool', message.call_id]
                : [message.role, message.text],
          ),
    )
  }
  const said = (content: string): StateMessage => ({ role: 'assistant', content })
  const called = (id: string, name: string, content = ''): StateMessage => ({
    role: 'assistant',
    content,
    tool_call_id: id,
    tool_name: name,
  })
  const result = (id: string, name: string): StateMessage => ({
    role: 'tool',
    content: '1',
    tool_call_id: id,
    tool_name: name,
  })
  const user: StateMessage = { role: 'user', content: 'Go' }

  test('AAIF-8.1-16: several calls of an answer, one message each, are one answer with its calls', async (t) => {
    assert.deepEqual(
      await messagesOf(t, [
        user,
        called('1', 'look', 'I look.'),
        called('2', 'send'),
        result('1', 'look'),
        result('2', 'send'),
        called('3', 'look'),
        result('3', 'look'),
        said('Done.'),
      ]),
      [
        ['user', 'Go'],
        ['assistant', 'I look.', '1 look', '2 send'],
        ['tool', '1'],
        ['tool', '2'],
        ['assistant', '', '3 look'],
        ['tool', '3'],
        ['assistant', 'Done.'],
      ],
    )
  })

  test('AAIF-8.1-16: the form of the published example, calls one by one, and calls without a result', async (t) => {
    assert.deepEqual(
      await messagesOf(
        t,
        [
          user,
          said('I begin.'),
          called('1', 'look', '[tool call: look]'),
          result('1', 'look'),
          called('2', 'look'),
          result('2', 'look'),
          user,
          called('lost', 'look'),
          called('p', 'send'),
        ],
        { pending_tool_calls: [{ id: 'p', tool_name: 'send', arguments: { to: 'ada' }, status: 'pending' }] },
      ),
      [
        ['user', 'Go'],
        ['assistant', 'I begin.'],
        ['assistant', '[tool call: look]', '1 look'],
        ['tool', '1'],
        ['assistant', '', '2 look'],
        ['tool', '2'],
        ['user', 'Go'],
        ['assistant', '', 'p send'],
      ],
    )
  })
})

describe('AAIF §8.1 the error of a failed run', () => {
  const errorOf = async (
    t: TestContext,
    members: JsonObject,
    options: WorldOptions,
    others: JsonObject[] = [],
  ) => {
    const world = await FamilyWorld.open(t, [agent('a', members), ...others], options)
    const document = captureOf(world, await world.start())
    assert.equal(document.status, 'failed')
    assert.deepEqual(issuesOf(document), [])
    return document.error
  }
  const gone = () => {
    throw new Error('gone')
  }
  const pipeline = {
    orchestration: {
      subagents: ['b', 'c'].map((name) => ({ ref: name, alias: name })),
      pipeline: ['b', 'c'],
    },
  }
  const swarm = {
    orchestration: {
      subagents: ['b', 'c'].map((name) => ({ ref: name, alias: name })),
      parallel_execution: true,
    },
  }

  test('AAIF-8.1-19: it names the step of a pipeline', async (t) => {
    const error = await errorOf(t, pipeline, { says: { b: () => 'first', c: gone } }, [
      agent('b'),
      agent('c'),
    ])
    assert.deepEqual([error?.code, error?.step, error?.retries_remaining], ['SUBAGENT_FAILED', 'c', 0])
  })
  test('AAIF-8.1-19: it names the tool in whose call the run was stopped', async (t) => {
    const world: FamilyWorld = await open(
      t,
      { tools: TOOLS, runtime: { timeout_seconds: 5 } },
      {
        reads: ['look'],
        tools: {
          look: () => {
            world.clock.advance(10_000)
            return 1
          },
          send: () => 2,
        },
        says: { a: () => calls(['1', 'look', {}]) },
      },
    )
    const document = captureOf(world, await world.start())
    assert.deepEqual([document.error?.code, document.error?.step], ['TIMEOUT', 'look'])
  })
  for (const [what, members, options, others, code] of [
    [
      'a limit',
      { tools: TOOLS, orchestration: { max_iterations: 1 } },
      {
        reads: ['look'],
        tools: { look: () => 1, send: () => 1 },
        says: { a: () => calls(['1', 'look', {}]) },
      },
      [],
      'MAX_ITERATIONS_EXCEEDED',
    ],
    [
      'a model',
      { tools: TOOLS },
      { tools: { look: () => 1, send: () => 1 }, says: { a: gone } },
      [],
      'MODEL_ERROR',
    ],
    ['a swarm', swarm, { says: { b: gone, c: gone } }, [agent('b'), agent('c')], 'SUBAGENT_FAILED'],
  ] as const)
    test(`AAIF-8.1-19: it has no step if ${what} has ended the run, which is neither a step nor a tool`, async (t) => {
      const error = await errorOf(
        t,
        members as JsonObject,
        options as WorldOptions,
        [...others] as JsonObject[],
      )
      assert.equal(error?.code, code)
      assert.ok(error !== undefined && !('step' in error))
    })

  test('AAIF-12-14: a failed run that had a stack trace leaves without it, in every member', async (t) => {
    const thrown = new Error('the model is gone')
    // As wrapped errors of libraries do, the message has the trace.
    thrown.message = `${thrown.message}: ${thrown.stack}\nTraceback (most recent call last):\n  File "/srv/app/serve.py", line 7, in ask\nConnectionError: refused`
    assert.match(thrown.message, /exported-states\.test\.ts:\d+/)
    const world = await open(
      t,
      {},
      {
        says: {
          a: () => {
            throw thrown
          },
        },
      },
    )
    const end = await world.start()
    assert.match(JSON.stringify(end.end), /exported-states\.test\.ts:\d+/, 'the record of this home has it')
    const document = captureOf(world, end)
    const text = JSON.stringify(document)
    assert.doesNotMatch(text, /exported-states|serve\.py|node:internal|Traceback|stack_trace/)
    assert.match(document.error?.message ?? '', /the model is gone[\s\S]*ConnectionError: refused$/)
    assert.deepEqual(issuesOf(document), [])
  })
})
