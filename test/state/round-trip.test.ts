import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { JsonObject } from '../../src/document/json.ts'
import { apply } from '../../src/run/apply.ts'
import { initialState } from '../../src/run/initial-state.ts'
import { validateAgentState } from '../../src/spec/aaif/validate-agent-state.ts'
import { assertStateChecksum } from '../../src/trust/checksum.ts'
import { agent } from '../run/family.ts'
import { FamilyWorld, ROOT, type WorldOptions } from '../run/family-world.ts'
import { calls } from '../run/fixture.ts'
import { captureOf, plainState, restoredState } from './captured.ts'

const tool = (name: string) => ({ name, description: 'Does it.', parameters_schema: { type: 'object' } })

/** Programs that pass through every kind of state. */
const WORLDS: Readonly<
  Record<string, { readonly agents: readonly JsonObject[]; readonly options: WorldOptions }>
> = {
  'calls of tools': {
    agents: [agent('a', { tools: [tool('look'), tool('send')] })],
    options: {
      reads: ['look'],
      tools: { look: () => ({ seen: 1 }), send: () => 'sent' },
      says: {
        a: ({ messages }) =>
          messages.length === 1
            ? calls(['1', 'look', { x: 1 }], ['2', 'send', { who: 'a' }])
            : messages.length === 4
              ? calls(['3', 'send', { who: 'b' }])
              : 'done',
      },
    },
  },
  'a question to a person': {
    agents: [
      agent('a', {
        tools: [tool('send')],
        compliance: { human_in_the_loop: { enabled: true, timeout_seconds: 60 } },
      }),
    ],
    options: {
      tools: { send: () => 'sent' },
      says: { a: ({ messages }) => (messages.length === 1 ? calls(['1', 'send', { who: 'a' }]) : 'done') },
    },
  },
  'a pipeline': {
    agents: [
      agent('p', {
        orchestration: {
          subagents: ['a', 'b'].map((name) => ({ ref: name, alias: name })),
          pipeline: ['a', 'b'],
        },
        memory: [{ scope: 'task', key: 'note', content: 'Keep it short.' }],
        runtime: { timeout_seconds: 600 },
      }),
      agent('a', { tools: [tool('send')] }),
      agent('b'),
    ],
    options: {
      tools: { send: () => 'sent' },
      says: {
        a: ({ messages }) => (messages.length === 1 ? calls(['1', 'send', { who: 'a' }]) : 'first'),
        b: () => 'second',
      },
    },
  },
  'a swarm': {
    agents: [
      agent('s', {
        orchestration: {
          subagents: ['a', 'b', 'c'].map((name) => ({ ref: name, alias: name })),
          parallel_execution: true,
          consensus: { strategy: 'best_of_n' },
        },
      }),
      agent('a'),
      agent('b'),
      agent('c'),
    ],
    options: { says: { a: () => 'one', b: () => 'two', c: () => 'three', s: () => '1' } },
  },
}

async function worldOf(t: TestContext, name: string): Promise<FamilyWorld> {
  const { agents, options } = WORLDS[name] as (typeof WORLDS)[string]
  const world = await FamilyWorld.open(t, agents, options)
  world.decide = ({ id }) =>
    name === 'a question to a person' && world.asked.length > 1
      ? { type: 'person.decided', call_id: id, verdict: 'approve', by: 'Ada' }
      : null
  return world
}

describe('a state that is captured and restored into the same plan', () => {
  for (const name of Object.keys(WORLDS)) {
    test(`${name}: equals the state of the run after each of its events (AAIF-8.1-02)`, async (t) => {
      const world = await worldOf(t, name)
      await world.start()
      let state = initialState(ROOT, world.program.plan.agent_id, world.program.hash)
      let compared = 0
      for (const event of world.events()) {
        state = apply(state, event)
        const document = captureOf(world, state)
        assert.deepEqual(
          validateAgentState(document as never).filter(({ severity }) => severity === 'error'),
          [],
        )
        assertStateChecksum(document as never)
        if (state.end !== null) continue
        assert.deepEqual(
          plainState(restoredState(document, world.program, { fork: false })),
          plainState(state),
          `after event ${event.seq} (${event.fact.type})`,
        )
        compared++
      }
      assert.ok(compared > 0)
    })
  }
})
