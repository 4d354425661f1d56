import { type AgentCase, called, leads, type Player, subagents, writes, writesAndBreaks } from './case.ts'
import { failed, run } from './span-tree.ts'

const STEPS = ['a', 'b', 'c', 'd']
const step = (name: string) => writes((task) => `${task}>${name}`)

function pipeline(players: Record<string, Player>, ...spare: string[]): Record<string, Player> {
  const fallback = spare.map((ref) => ({ ref, alias: ref, role: 'fallback' }))
  return {
    head: leads({ subagents: [...subagents(...STEPS), ...fallback], pipeline: STEPS }),
    ...players,
  }
}

const [a, b, c, d] = STEPS.map((name) => [name, step(name)] as const) as [Named, Named, Named, Named]
type Named = readonly [string, Player]
const broken: Named = ['c', writesAndBreaks()]
const spare: Named = ['spare', step('spare')]

export const PIPELINE_CASES: readonly AgentCase[] = [
  {
    name: 'AAIF-4.3-02: a pipeline of four',
    players: pipeline(Object.fromEntries([a, b, c, d])),
    output: 'go>a>b>c>d',
    wrote: STEPS,
    events: { head: 'run.started call.answered call.answered call.answered call.answered' },
    spans: run('head', ...[a, b, c, d].map(called)),
  },
  {
    name: 'AAIF-4.3-02: a pipeline of four whose third step fails',
    players: pipeline(Object.fromEntries([a, b, broken, d])),
    error: 'SUBAGENT_FAILED',
    wrote: ['a', 'b', 'c'],
    events: { head: 'run.started call.answered call.answered call.failed' },
    spans: failed(run('head', ...[a, b, broken].map(called))),
  },
  {
    name: 'AAIF-4.3-02: a pipeline of four whose third step fails, and a fallback steps in',
    players: pipeline(Object.fromEntries([a, b, broken, d, spare]), 'spare'),
    output: 'go>a>b>spare>d',
    warnings: ['SUBAGENT_FALLBACK'],
    wrote: ['a', 'b', 'c', 'spare', 'd'],
    events: { head: 'run.started call.answered call.answered call.failed call.answered call.answered' },
    spans: run('head', called(a), called(b), called(broken), called(spare), called(d)),
  },
]
