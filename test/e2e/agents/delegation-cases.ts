import type { JsonObject } from '../../../src/document/json.ts'
import {
  type AgentCase,
  called,
  type ExpectedRequest,
  leads,
  type Player,
  says,
  subagents,
  writes,
  writesAndBreaks,
} from './case.ts'
import { wantsCalls } from './conversation.ts'
import { failed, model, run, tool } from './span-tree.ts'

/** An agent whose model asks all the others at once, and combines their answers. */
function asks(names: readonly string[], members: JsonObject = {}): Player {
  return {
    ...leads({ role: 'orchestrator', subagents: subagents(...names) }, members),
    says: ({ results }) =>
      results.length === 0
        ? wantsCalls(...names.map((name) => [`ask_${name}`, { task: `the part of ${name}` }] as const))
        : results.map((result) => /\w is done|MODEL_\w+/.exec(result)?.[0] ?? result).join(' and '),
  }
}

const a = ['a', writes('a is done')] as const
const b = ['b', writes('b is done')] as const
const broken = ['b', writesAndBreaks()] as const

const below = (name: string, player: Player, breaks = false) => {
  const call = tool(`ask_${name}`, player.spans(name))
  return breaks ? failed(call) : call
}

const MEMORY: readonly JsonObject[] = [
  { scope: 'long_term', key: 'house', content: 'LONG-house' },
  { scope: 'user', key: 'tea', content: 'USER-tea' },
  { scope: 'task', key: 'step', content: 'TASK-step' },
]

/** An agent that hands off after its model has answered. */
function handsOff(pass_context: boolean, pass_memory: boolean): AgentCase {
  const target = ['target', writes('done by the target')] as const
  const shown: ExpectedRequest = {
    roles: [
      'system',
      ...(pass_context ? ['user', 'assistant'] : []),
      'user',
      ...(pass_memory ? ['user'] : []),
      'assistant',
      'tool',
    ].join(' '),
    holds: [...(pass_context ? ['this is for the target'] : []), ...(pass_memory ? ['LONG-house'] : [])],
    lacks: [
      ...(pass_context ? [] : ['this is for the target']),
      ...(pass_memory ? [] : ['LONG-house']),
      // Not passed on even with the conversation, because it belongs to the user.
      'USER-tea',
      'TASK-step',
    ],
  }
  const how = `${pass_context ? 'with' : 'without'} context and ${pass_memory ? 'with' : 'without'} memory`
  return {
    name: `AAIF-4.3-07 SPEC-D-27: a hand-off ${how}`,
    players: {
      head: {
        ...says('this is for the target', {
          memory: MEMORY,
          orchestration: {
            handoff: [
              {
                condition: { lang: 'cel', expr: 'output.contains("target")' },
                target_agent: 'target',
                pass_context,
                pass_memory,
              },
            ],
          },
        }),
      },
      target: target[1],
    },
    output: 'done by the target',
    wrote: ['target'],
    events: { head: 'run.started memory.read model.answered call.answered' },
    spans: run('head', 'memory read', model('head'), called(target)),
    lastRequests: { target: shown },
  }
}

export const DELEGATION_CASES: readonly AgentCase[] = [
  {
    name: 'a model that calls two sub-agents at once',
    players: { head: asks(['a', 'b']), a: a[1], b: b[1] },
    output: 'a is done and b is done',
    wrote: ['a', 'b'],
    events: { head: 'run.started model.answered call.answered call.answered model.answered' },
    spans: run('head', model('head'), below(...a), below(...b), model('head')),
  },
  {
    name: 'a model that gets the failure of one of two others',
    players: { head: asks(['a', 'b']), a: a[1], b: broken[1] },
    output: 'a is done and MODEL_REQUEST_REFUSED',
    wrote: ['a', 'b'],
    events: { head: 'run.started model.answered call.answered call.failed model.answered' },
    spans: run('head', model('head'), below(...a), below(...broken, true), model('head')),
  },
  ...[true, false].flatMap((context) => [true, false].map((memory) => handsOff(context, memory))),
  {
    name: 'SPEC-D-27: a model that calls a sub-agent, with the memory of the listed keys',
    players: {
      head: {
        ...asks(['a']),
        members: {
          memory: MEMORY,
          orchestration: { subagents: [{ ref: 'a', alias: 'a', pass_memory_keys: ['tea', 'step', 'none'] }] },
        },
      },
      a: a[1],
    },
    output: 'a is done',
    wrote: ['a'],
    events: { head: 'run.started memory.read model.answered call.answered model.answered' },
    spans: run('head', 'memory read', model('head'), below(...a), model('head')),
    lastRequests: {
      a: {
        roles: 'system user user assistant tool',
        holds: ['USER-tea', 'TASK-step'],
        lacks: ['LONG-house'],
      },
    },
  },
]
