import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { JsonObject } from '../../src/document/json.ts'
import type { AgentState } from '../../src/spec/aaif/generated/state.ts'
import { agent } from '../run/family.ts'
import { FamilyWorld, ROOT, settle, type WorldOptions } from '../run/family-world.ts'
import { captureOf, placed, plainState, restored } from './captured.ts'

const IDS = {
  p: '0b0c8f5e-7a55-4f0e-9a6b-6a3f0f0a1b00',
  a: '0b0c8f5e-7a55-4f0e-9a6b-6a3f0f0a1b0a',
  b: '0b0c8f5e-7a55-4f0e-9a6b-6a3f0f0a1b0b',
  c: '0b0c8f5e-7a55-4f0e-9a6b-6a3f0f0a1b0c',
} as const
const STATES = {
  a: '1b9f3f0e-6d52-4d1f-8f5a-5f0c9f6f1a0a',
  b: '1b9f3f0e-6d52-4d1f-8f5a-5f0c9f6f1a0b',
} as const

const named = (name: keyof typeof IDS, members: JsonObject = {}) => ({
  ...agent(name, members),
  agent_id: IDS[name],
})
const children = ['a', 'b', 'c'].map((name) => ({ ref: name, alias: name }))

type Asked = readonly { readonly role: string; readonly text?: string; readonly result?: unknown }[]
const lastText = (messages: Asked) => messages.at(-1)?.text ?? ''
/** Each agent answers with all the words that it was given by the user. */
const says: WorldOptions['says'] = Object.fromEntries(
  ['p', 'a', 'b', 'c'].map((name) => [
    name,
    ({ messages }: { readonly messages: Asked }) =>
      `${name}(${messages.flatMap(({ role, text }) => (role === 'user' ? [text] : [])).join(', ')})`,
  ]),
)

async function familyOf(t: TestContext, orchestration: JsonObject, more: Partial<WorldOptions> = {}) {
  return FamilyWorld.open(
    t,
    [
      named('p', { orchestration: { subagents: children, ...orchestration } }),
      named('a'),
      named('b'),
      named('c'),
    ],
    { says, ...more },
  )
}

/** States by the text of the draft alone. */
const parent = (members: Partial<AgentState>): AgentState => ({
  sc_standard: 'SC-006',
  state_id: '1b9f3f0e-6d52-4d1f-8f5a-5f0c9f6f1a00',
  agent_id: IDS.p,
  checkpoint_at: '2026-03-01T09:00:00Z',
  status: 'running',
  conversation: [{ role: 'user', content: 'go' }],
  ...members,
})
const child = (name: 'a' | 'b', members: Partial<AgentState> = {}): AgentState => ({
  sc_standard: 'SC-006',
  state_id: STATES[name],
  agent_id: IDS[name],
  checkpoint_at: '2026-03-01T09:00:00Z',
  status: 'running',
  conversation: [
    { role: 'user', content: 'sent to another platform' },
    { role: 'assistant', content: 'half of the work' },
    { role: 'user', content: 'continue' },
  ],
  ...members,
})
const linked = (alias: 'a' | 'b', status: 'running' | 'paused' = 'running') =>
  ({ alias, agent_id: IDS[alias], state_id: STATES[alias], status }) as const
const CONTINUED = 'sent to another platform, continue'

async function continued(world: FamilyWorld, document: AgentState, documents: readonly AgentState[]) {
  const family = restored(document, world.program, { fork: false, documents })
  const entries = family.report.entries
  const next = placed(world, family)
  const end = await next.resume()
  const entryOf = (alias: string) => entries.find(({ part }) => part === `subagent_states ${alias}`)
  return { output: end.end?.output, asked: next.asked, runs: family.runs.length, entries, entryOf }
}

describe('AAIF §8.1 states of sub-agents that came with a state of another platform', () => {
  test('AAIF-8.1-21: the step of a pipeline continues with its own state; without it, it begins again and the report says so', async (t) => {
    const world = await familyOf(t, { pipeline: ['a', 'b', 'c'] })
    const document = parent({
      pipeline_position: { current_step: 'b', completed_steps: ['a'], remaining_steps: ['c'] },
      subagent_states: [{ alias: 'a', agent_id: IDS.a, status: 'completed', output: 'first' }, linked('b')],
    })
    const whole = await continued(world, document, [child('b')])
    assert.equal(whole.output, `c(b(${CONTINUED}))`)
    assert.deepEqual([whole.asked, whole.runs], [['b', 'c'], 2])
    assert.deepEqual(whole.entryOf('b'), {
      part: 'subagent_states b',
      status: 'kept',
      note: 'it continues with its own state',
    })
    const without = await continued(world, document, [])
    assert.equal(without.output, 'c(b(first))')
    assert.equal(without.entryOf('b')?.status, 'left_behind')
    assert.match(without.entryOf('b')?.note ?? '', new RegExp(STATES.b))
    // Another document, or one of another agent, is not the one that is named.
    for (const other of [child('a'), child('b', { state_id: STATES.a }), child('b', { agent_id: IDS.a })]) {
      const found = await continued(world, document, [other])
      assert.deepEqual([found.output, found.entryOf('b')?.status], ['c(b(first))', 'left_behind'])
    }
  })

  test('AAIF-8.1-21: without a position, the sub-agent at work says at which step the pipeline is', async (t) => {
    const world = await familyOf(t, { pipeline: ['a', 'b', 'c'] })
    const { output, asked } = await continued(world, parent({ subagent_states: [linked('b', 'paused')] }), [
      child('b', { status: 'paused' }),
    ])
    assert.deepEqual([output, asked], [`c(b(${CONTINUED}))`, ['b', 'c']])
  })

  test('AAIF-8.1-21: of agents that work in parallel each continues with its state, its answer or from the beginning', async (t) => {
    const world = await familyOf(t, { parallel_execution: true })
    const { entryOf, asked, runs } = await continued(
      world,
      parent({
        subagent_states: [
          linked('a'),
          linked('b'),
          { alias: 'c', agent_id: IDS.c, status: 'completed', output: 'answered elsewhere' },
        ],
      }),
      [child('b'), child('a')],
    )
    assert.equal(runs, 3)
    assert.deepEqual([...asked].sort(), ['a', 'b', 'p'])
    for (const alias of ['a', 'b', 'c']) assert.equal(entryOf(alias)?.status, 'kept', alias)
  })

  test('AAIF-8.1-21: a sub-agent that the own model has called answers the model, with and without a pending call', async (t) => {
    for (const pending of [
      [],
      [{ id: 'call-7', tool_name: 'a', arguments: { task: 'x' }, status: 'in_flight' as const }],
    ]) {
      const world = await familyOf(t, {})
      const tool = world.program.plan.tools.find((one) => one.agent === 'a')?.name ?? ''
      const calls = pending.map((call) => ({ ...call, tool_name: tool }))
      const document = parent({
        conversation: [
          { role: 'user', content: 'go' },
          { role: 'assistant', content: 'I ask a.' },
        ],
        pending_tool_calls: calls,
        subagent_states: [linked('a')],
      })
      const family = restored(document, world.program, { fork: false, documents: [child('a')] })
      const next = placed(world, family)
      const end = await next.resume()
      assert.deepEqual(next.asked, ['a', 'p'], JSON.stringify(family.report.entries))
      assert.equal(end.end?.output, 'p(go)')
      const result = end.messages.toArray().find(({ role }) => role === 'tool')
      assert.equal(result?.role === 'tool' && result.result, `a(${CONTINUED})`)
      assert.equal(family.report.summary.left_behind, 0, JSON.stringify(family.report.entries))
    }
  })

  test('AAIF-8.1-21, SPEC-Q-11: a sub-agent that the definition does not declare is left behind, with its state', async (t) => {
    const world = await familyOf(t, { pipeline: ['a'] })
    const undeclared = { alias: 'z', agent_id: IDS.b, state_id: STATES.b, status: 'running' } as const
    const { entryOf } = await continued(world, parent({ subagent_states: [undeclared] }), [child('b')])
    assert.equal(entryOf('z')?.status, 'left_behind')
    assert.match(entryOf('z')?.note ?? '', /declares no sub-agent/)
  })
})

describe('AAIF §8.1 states of sub-agents that Waybill captured', () => {
  test('AAIF-8.1-10, AAIF-8.1-21: a document beside the state is as good as one in x-waybill', async (t) => {
    const stopped = new AbortController()
    const world = await familyOf(
      t,
      { pipeline: ['a', 'b', 'c'] },
      {
        says: {
          ...says,
          b: async ({ messages }) => {
            if (!stopped.signal.aborted) {
              await settle()
              stopped.abort()
              await new Promise(() => {})
            }
            return `b(${lastText(messages as Asked)})`
          },
        },
      },
    )
    await world.start({ signal: stopped.signal })
    const document = captureOf(world, world.stateOf(ROOT))
    const { documents, ...member } = document['x-waybill'] as unknown as { documents: readonly AgentState[] }
    const alone = { ...document, 'x-waybill': member } as unknown as AgentState
    assert.deepEqual(
      documents.map(({ state_id }) => state_id),
      document.subagent_states?.flatMap(({ state_id }) => state_id ?? []),
    )
    const runsOf = (one: AgentState, beside: readonly AgentState[]) =>
      restored(one, world.program, { fork: false, documents: beside })
    const shown = (family: ReturnType<typeof runsOf>) =>
      JSON.stringify([family.runs.map(({ runId, facts }) => [runId, facts]), family.report])
    assert.equal(shown(runsOf(alone, documents)), shown(runsOf(document, [])))
    const missing = runsOf(alone, [])
    assert.equal(missing.runs.length, 1)
    assert.deepEqual(
      missing.report.entries.filter(({ status }) => status === 'left_behind').map(({ part }) => part),
      ['subagent_states b'],
    )
    assert.ok(plainState(world.stateOf(ROOT)))
  })
})
