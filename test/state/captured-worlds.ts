import type { TestContext } from 'node:test'
import type { JsonObject } from '../../src/document/json.ts'
import type { ServerQuestion } from '../../src/run/elicitation.ts'
import { ToolQuestions } from '../../src/run/ports.ts'
import { agent } from '../run/family.ts'
import { FamilyWorld, type WorldOptions } from '../run/family-world.ts'
import { calls } from '../run/fixture.ts'

const tool = (name: string) => ({ name, description: 'Does it.', parameters_schema: { type: 'object' } })

/** What the server of a tool asks. */
export const QUESTION: ServerQuestion = {
  key: 'stay',
  mode: 'form',
  message: 'Which city?',
  schema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
}

const ANSWER = { stay: { action: 'accept', content: { city: 'Bern' } } } as const

/** Programs that pass through every kind of state. */
export const WORLDS: Readonly<
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
  'a question of a server': {
    agents: [agent('a', { tools: [tool('send')], runtime: { timeout_seconds: 600 } })],
    options: {
      tools: {
        send: ({ elicitation }) => {
          if (elicitation === undefined) throw new ToolQuestions([QUESTION], 'opaque state')
          return 'sent'
        },
      },
      says: { a: ({ messages }) => (messages.length === 1 ? calls(['1', 'send', { who: 'a' }]) : 'done') },
    },
  },
  'numbers that a double cannot hold': {
    agents: [agent('a', { tools: [tool('send')] })],
    options: {
      tools: { send: () => ({ id: { $number: '9007199254740993' } }) },
      says: {
        a: ({ messages }) =>
          messages.length < 4
            ? calls([String(messages.length), 'send', { id: { $number: '1e400' } }])
            : 'done',
      },
    },
  },
  'a refusal of a person': {
    agents: [agent('a', { tools: [tool('send')], compliance: { human_in_the_loop: { enabled: true } } })],
    options: {
      tools: { send: () => 'sent' },
      says: {
        a: ({ messages }) =>
          messages.length < 6 ? calls([String(messages.length), 'send', { who: 'a' }]) : 'done',
      },
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

export async function worldOf(t: TestContext, name: string): Promise<FamilyWorld> {
  const { agents, options } = WORLDS[name] as (typeof WORLDS)[string]
  const world = await FamilyWorld.open(t, agents, options)
  world.decide = ({ id }) =>
    name === 'a refusal of a person'
      ? { type: 'person.decided', call_id: id, verdict: 'deny', by: 'Ada', why: 'no' }
      : name === 'a question to a person' && world.asked.length > 1
        ? { type: 'person.decided', call_id: id, verdict: 'approve', by: 'Ada' }
        : name === 'a question of a server'
          ? { type: 'person.decided', call_id: id, verdict: 'answer', by: 'Ada', answers: ANSWER }
          : null
  return world
}
