import type { JsonObject } from '../../../src/document/json.ts'
import {
  type AgentCase,
  called,
  isTooLate,
  leads,
  type Player,
  says,
  subagents,
  writes,
  writesAndBreaks,
} from './case.ts'
import { failed, run } from './span-tree.ts'

const WORKERS = ['a', 'b', 'c']

interface Consensus {
  readonly what: string
  readonly consensus: JsonObject
  /** The sub-agent that judges, and when it is asked. */
  readonly judge?: { readonly name: string; readonly entry: JsonObject; readonly player: Player }
  readonly judgesAlone?: boolean
  /** The outcome if none, one and two of the three fail; an upper-case word is an error. */
  readonly comes: readonly [string, string, string]
}

const CONSENSUS: readonly Consensus[] = [
  {
    what: 'majority_vote',
    consensus: { strategy: 'majority_vote' },
    comes: ['yes', 'yes', 'yes'],
  },
  {
    what: 'majority_vote with min_votes 3',
    consensus: { strategy: 'majority_vote', min_votes: 3 },
    comes: ['yes', 'CONSENSUS_NOT_REACHED', 'CONSENSUS_NOT_REACHED'],
  },
  {
    what: 'best_of_n',
    consensus: { strategy: 'best_of_n' },
    judge: { name: 'judge', entry: { role: 'evaluator' }, player: says('{"best": 1}') },
    comes: ['yes', 'yes', 'yes'],
  },
  {
    what: 'referee',
    consensus: { strategy: 'referee', referee_agent: 'judge' },
    judge: { name: 'judge', entry: {}, player: says('neither yes nor no') },
    judgesAlone: true,
    comes: ['neither yes nor no', 'neither yes nor no', 'neither yes nor no'],
  },
]

/** Of three workers, the first ones fail. */
function swarm({ what, consensus, judge, judgesAlone, comes }: Consensus, failing: number): AgentCase {
  const workers = WORKERS.map(
    (name, index) => [name, index < failing ? writesAndBreaks() : writes('yes')] as const,
  )
  const judged = judge !== undefined && (3 - failing > 1 || (judgesAlone === true && failing < 3))
  const parts = [...workers.map(called), ...(judged ? [called([judge.name, judge.player])] : [])]
  const comesOut = comes[failing] ?? 'SUBAGENT_FAILED'
  const breaks = /^[A-Z_]+$/.test(comesOut)
  return {
    name: `SPEC-D-11: a swarm with ${what}, of which ${HOW_MANY[failing]}`,
    players: {
      head: leads({
        subagents: [
          ...subagents(...WORKERS),
          ...(judge === undefined ? [] : [{ ref: judge.name, alias: judge.name, ...judge.entry }]),
        ],
        parallel_execution: true,
        consensus,
      }),
      ...Object.fromEntries(workers),
      ...(judge !== undefined && { [judge.name]: judge.player }),
    },
    ...(breaks ? { error: comesOut } : { output: comesOut }),
    warnings: failing < 3 ? Array.from({ length: failing }, () => 'SUBAGENT_FAILED') : [],
    wrote: WORKERS,
    events: {
      head: ['run.started', ...calls(3 - failing, failing), ...(judged ? ['call.answered'] : [])].join(' '),
    },
    spans: breaks ? failed(run('head', ...parts)) : run('head', ...parts),
  }
}

/** The first success is enough: the workers before it fail, those after it are stopped. */
function firstSuccess(failing: number): AgentCase {
  const workers = WORKERS.map(
    (name, index) =>
      [
        name,
        index < failing
          ? writesAndBreaks()
          : index === failing
            ? { ...says('first'), after: WORKERS.slice(0, failing) }
            : isTooLate(),
      ] as const,
  )
  const parts = workers.map(called)
  return {
    name: `SPEC-D-11: a swarm with first_success, of which ${HOW_MANY[failing]}`,
    players: {
      head: leads({
        subagents: subagents(...WORKERS),
        parallel_execution: true,
        consensus: { strategy: 'first_success' },
      }),
      ...Object.fromEntries(workers),
    },
    ...(failing === 3 ? { error: 'SUBAGENT_FAILED' } : { output: 'first' }),
    wrote: WORKERS.slice(0, failing),
    // Workers that are stopped record their end before their parent ends.
    events: { head: ['run.started', ...calls(failing === 3 ? 0 : 1, Math.max(failing, 2))].join(' ') },
    spans: failing === 3 ? failed(run('head', ...parts)) : run('head', ...parts),
    ...(failing < 3 && { race: WORKERS.filter((_, index) => index !== failing) }),
  }
}

/** Returns the event types of a round of calls, sorted, because calls are answered in any order. */
function calls(answered: number, failing: number): readonly string[] {
  return [
    ...Array.from({ length: answered }, () => 'call.answered'),
    ...Array.from({ length: failing }, () => 'call.failed'),
  ]
}

const HOW_MANY = ['none fails', 'one fails', 'two fail', 'all fail']

export const SWARM_CASES: readonly AgentCase[] = [0, 1, 2, 3].flatMap((failing) => [
  ...CONSENSUS.map((consensus) => swarm(consensus, failing)),
  firstSuccess(failing),
])
