import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Plan } from '../../src/plan/plan.ts'
import { circlesIn } from '../../src/plan/subagent-circles.ts'
import type { Called, Uses } from '../../src/plan/subagent-uses.ts'

/** Calls of each agent: the name of the called agent, and when it is called. */
type Calls = Readonly<Record<string, readonly (readonly [callee: string, called: Called])[]>>

/** Returns the circles that are refused and those that are reported, as names. */
function circles(calls: Calls) {
  const plans = Object.keys(calls).map(
    (name) => ({ agent_name: name, definition_hash: `hash of ${name}` }) as unknown as Plan,
  )
  const uses = new Map(
    plans.map((plan): [Plan, Uses] => [
      plan,
      {
        subagents: (calls[plan.agent_name] ?? []).map(([callee, called]) => ({
          subagent: { ref: callee, alias: callee, ...(callee !== '' && { agent: `hash of ${callee}` }) },
          called,
        })),
        ownModel: 'never',
        mostWorkers: 0,
      },
    ]),
  )
  const { refusals, degradations } = circlesIn(uses)
  return {
    refused: refusals.map(
      ({ plan, refusal }) => `${plan.agent_name}: ${/: (.*)$/.exec(refusal.message)?.[1]}`,
    ),
    reported: degradations.map(
      ({ plan, degradation }) => `${plan.agent_name}: ${/: (.*);/.exec(degradation.reason)?.[1]}`,
    ),
  }
}

describe('AAIF-4.3-09: agents that call themselves', () => {
  const table: readonly (readonly [
    what: string,
    Calls,
    refused: readonly string[],
    reported: readonly string[],
  ])[] = [
    ['no calls', { a: [] }, [], []],
    [
      'calls without a circle',
      {
        a: [
          ['b', 'always'],
          ['c', 'always'],
        ],
        b: [['c', 'always']],
        c: [],
      },
      [],
      [],
    ],
    ['itself', { a: [['a', 'always']] }, ['a: a → a'], []],
    ['through another', { a: [['b', 'always']], b: [['a', 'always']] }, ['a: a → b → a'], []],
    [
      'below the root',
      { a: [['b', 'always']], b: [['c', 'always']], c: [['b', 'always']] },
      ['b: b → c → b'],
      [],
    ],
    ['under a condition', { a: [['b', 'always']], b: [['a', 'condition']] }, [], ['a: a → b → a']],
    ['itself under a condition', { a: [['a', 'condition']] }, [], ['a: a → a']],
    ['decided by a model', { a: [['a', 'model']] }, [], []],
    ['as a fallback', { a: [['b', 'always']], b: [['a', 'fallback']] }, [], []],
    ['never', { a: [['a', 'never']] }, [], []],
    ['a model decides about one part', { a: [['b', 'always']], b: [['a', 'model']] }, [], []],
    [
      'an agent that was not found',
      {
        a: [
          ['', 'always'],
          ['x', 'always'],
        ],
      },
      [],
      [],
    ],
    [
      'the shortest circle is named',
      {
        a: [
          ['b', 'always'],
          ['c', 'always'],
        ],
        b: [['c', 'always']],
        c: [['a', 'always']],
      },
      ['a: a → c → a', 'b: b → c → a → b'],
      [],
    ],
    [
      'two circles apart',
      {
        a: [
          ['b', 'always'],
          ['c', 'always'],
        ],
        b: [['b', 'always']],
        c: [['c', 'condition']],
      },
      ['b: b → b'],
      ['c: c → c'],
    ],
    [
      'a reported circle that shares an agent with a refused one is not reported again',
      {
        a: [
          ['a', 'always'],
          ['b', 'condition'],
        ],
        b: [['a', 'always']],
      },
      ['a: a → a'],
      [],
    ],
    [
      'a circle with a side branch that ends',
      {
        a: [
          ['b', 'always'],
          ['c', 'always'],
        ],
        b: [['d', 'always']],
        c: [
          ['d', 'always'],
          ['a', 'always'],
        ],
        d: [],
      },
      ['a: a → c → a'],
      [],
    ],
  ]
  for (const [what, calls, refused, reported] of table)
    test(what, () => assert.deepEqual(circles(calls), { refused, reported }))
})
