import type { Json, JsonObject } from '../../../src/document/json.ts'
import { type AgentCase, called, leads, says, writes } from './case.ts'
import { model, run } from './span-tree.ts'

const WHEN: Readonly<Record<string, JsonObject>> = {
  a: { lang: 'jsonpath', expr: '$.items[?@.kind == "x"]' },
  b: { lang: 'cel', expr: 'input.kind == "y"' },
  c: { lang: 'jsonlogic', expr: { '==': [{ var: 'kind' }, 'z'] } },
}

function router(what: string, input: Json, chosen: string | null): AgentCase {
  const specialists = Object.keys(WHEN).map((name) => [name, writes(`done by ${name}`)] as const)
  const picked = specialists.find(([name]) => name === chosen)
  const own = says('done by myself')
  const entries = Object.entries(WHEN).map(([ref, when]) => ({ ref, alias: ref, when }))
  return {
    name: `AAIF-4.3-06: a router, ${what}`,
    players: {
      head: {
        ...leads({ role: 'router', subagents: entries }, { io: { input_schema: { type: 'object' } } }),
        ...(own.says !== undefined && { says: own.says }),
      },
      ...Object.fromEntries(specialists),
    },
    input,
    output: `done by ${chosen ?? 'myself'}`,
    wrote: picked === undefined ? [] : [picked[0]],
    events: { head: picked === undefined ? own.events : 'run.started call.answered' },
    spans: run('head', picked === undefined ? model('head') : called(picked)),
  }
}

export const ROUTER_CASES: readonly AgentCase[] = [
  router('by JSONPath', { kind: 'x', items: [{ kind: 'x' }] }, 'a'),
  router('by CEL', { kind: 'y' }, 'b'),
  router('by JsonLogic', { kind: 'z' }, 'c'),
  router('no condition is true', { kind: 'other' }, null),
]
