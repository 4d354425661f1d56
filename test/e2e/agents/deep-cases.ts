import { type AgentCase, called, leads, says, subagents, writes } from './case.ts'
import { wantsCalls } from './conversation.ts'
import { agent, model, run, tool } from './span-tree.ts'

const first = ['first', writes('a hard question')] as const
const left = ['left', writes('42')] as const
const helper = ['helper', writes('21 twice')] as const
const clerk = ['clerk', writes('42')] as const
const easy = ['easy', says('7')] as const

/** The desk's model asks the helper and writes itself; then the desk hands off to the clerk. */
const desk = {
  members: {
    tools: writes('').members.tools ?? [],
    orchestration: {
      subagents: subagents('helper', 'clerk'),
      handoff: [{ condition: { lang: 'jsonpath', expr: '$[?@ == "to the clerk"]' }, target_agent: 'clerk' }],
    },
  },
  says: ({ results }: { results: readonly string[] }) =>
    results.length === 0 ? wantsCalls(['ask_helper', { task: 'half of it' }], ['write', {}]) : 'to the clerk',
}

export const DEEP_CASES: readonly AgentCase[] = [
  {
    name: 'AAIF-4.3-08: a step of a pipeline is a swarm, a worker of it a router, and its specialist delegates',
    players: {
      head: leads({ subagents: subagents('first', 'team'), pipeline: ['first', 'team'] }),
      first: first[1],
      team: leads({
        subagents: subagents('left', 'right'),
        parallel_execution: true,
        consensus: { strategy: 'majority_vote', min_votes: 2 },
      }),
      left: left[1],
      right: leads({
        role: 'router',
        subagents: [
          { ref: 'desk', alias: 'desk', when: { lang: 'cel', expr: 'input.contains("hard")' } },
          { ref: 'easy', alias: 'easy' },
        ],
      }),
      desk: { ...desk, events: '', spans: () => '' },
      easy: easy[1],
      helper: helper[1],
      clerk: clerk[1],
    },
    output: '42',
    wrote: ['first', 'left', 'desk', 'helper', 'clerk'],
    events: {
      head: 'run.started call.answered call.answered',
      team: 'run.started call.answered call.answered',
      right: 'run.started call.answered',
      desk: 'run.started model.answered call.answered call.answered model.answered call.answered',
    },
    spans: run(
      'head',
      called(first),
      agent(
        'team',
        run(
          'team',
          called(left),
          agent(
            'right',
            run(
              'right',
              agent(
                'desk',
                run(
                  'desk',
                  model('desk'),
                  tool('ask_helper', helper[1].spans('helper')),
                  tool('write'),
                  model('desk'),
                  called(clerk),
                ),
              ),
            ),
          ),
        ),
      ),
    ),
  },
]
