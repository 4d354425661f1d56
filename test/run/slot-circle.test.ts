import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { closesCircle, type SlotTicket } from '../../src/run/record/slot-circle.ts'

/** A ticket such as `a#r1`: run r1 of agent a; `above` in the same form. */
function ticket(run: string, above: readonly string[], granted: boolean, limit: number): SlotTicket {
  const [agent = '', run_id = ''] = run.split('#')
  const runs = above.map((one) => ({ agent: one.split('#')[0] ?? '', run_id: one.split('#')[1] ?? '' }))
  return { agent, agent_name: agent, limit, run_id, above: runs, granted }
}

const holds = (run: string, limit = 1) => ticket(run, [], true, limit)
const waits = (run: string, above: readonly string[], limit = 1) => ticket(run, above, false, limit)

const TABLE: readonly (readonly [string, SlotTicket, readonly SlotTicket[], string | undefined])[] = [
  ['nothing is held', waits('a#n', ['b#r1']), [], undefined],
  ['a run without runs above it closes no circle', waits('a#n', []), [holds('a#r1')], undefined],
  ['the holder works', waits('a#n', ['b#r2']), [holds('a#r1'), holds('b#r2')], undefined],
  [
    'two that wait for each other',
    waits('a#n', ['b#r2']),
    [holds('a#r1'), holds('b#r2'), waits('b#w', ['a#r1'])],
    'b',
  ],
  [
    'the run above the newcomer holds no slot of what the other waits for',
    waits('a#n', ['b#r9']),
    [holds('a#r1'), holds('b#r2'), waits('b#w', ['a#r1'])],
    undefined,
  ],
  [
    'the run that waits is not the one that holds the slot',
    waits('a#n', ['b#r2']),
    [holds('a#r1'), holds('b#r2'), waits('b#w', ['a#r9'])],
    undefined,
  ],
  [
    'three in a circle',
    waits('a#n', ['c#r3']),
    [holds('a#r1'), holds('b#r2'), holds('c#r3'), waits('b#w1', ['a#r1']), waits('c#w2', ['b#r2'])],
    'b',
  ],
  [
    'three in a row that is open',
    waits('d#n', ['c#r3']),
    [
      holds('a#r1'),
      holds('b#r2'),
      holds('c#r3'),
      holds('d#r4'),
      waits('b#w1', ['a#r1']),
      waits('c#w2', ['b#r2']),
    ],
    undefined,
  ],
  [
    'beside a circle that does not lead back to the newcomer',
    waits('a#n', ['d#r4']),
    [holds('a#r1'), holds('b#r2'), waits('b#w1', ['a#r1']), waits('a#w2', ['b#r2'])],
    undefined,
  ],
  [
    'one of two slots is of a run that works',
    waits('a#n', ['b#r2'], 2),
    [holds('a#r1', 2), holds('a#r5', 2), holds('b#r2'), waits('b#w', ['a#r1'])],
    undefined,
  ],
  [
    'both slots are of runs that wait',
    waits('a#n', ['b#r2'], 2),
    [holds('a#r1', 2), holds('a#r5', 2), holds('b#r2'), waits('b#w', ['a#r1']), waits('b#w2', ['a#r5'])],
    'b',
  ],
  [
    'a lower limit of the newcomer is reached by the run that waits alone',
    waits('a#n', ['b#r2'], 1),
    [holds('a#r1', 2), holds('a#r5', 2), holds('b#r2'), waits('b#w', ['a#r1'])],
    'b',
  ],
  [
    'the run that holds the slot waits with runs of other agents above it',
    waits('a#n', ['b#r2', 'x#r7']),
    [holds('a#r1'), holds('b#r2'), waits('b#w', ['x#r8', 'a#r1', 'y#r9'])],
    'b',
  ],
  [
    'a run of the same id holds the slot of another agent',
    waits('a#n', ['b#r2']),
    [holds('a#r1'), holds('b#r2'), holds('c#r1'), waits('b#w', ['c#r1'])],
    undefined,
  ],
  ['an agent that calls itself', waits('a#n', ['a#r1']), [holds('a#r1')], 'a'],
  [
    'an agent that calls itself twice under a limit of two',
    waits('a#n', ['a#r1', 'a#r2'], 2),
    [holds('a#r1', 2), holds('a#r2', 2)],
    'a',
  ],
  [
    'an agent that calls itself while another run of it works',
    waits('a#n', ['a#r1'], 2),
    [holds('a#r1', 2), holds('a#r5', 2)],
    undefined,
  ],
  [
    'a run that waits in two branches holds its slot once',
    waits('b#n', ['a#r1']),
    [holds('a#r1', 2), holds('b#r2'), waits('c#w1', ['a#r1']), holds('c#r3'), waits('a#w2', ['b#r2'], 2)],
    undefined,
  ],
]

describe('AAIF §4.6 who waits for whom', () => {
  for (const [name, newcomer, others, expected] of TABLE)
    test(`${name}: ${expected === undefined ? 'may wait' : 'refused'}`, () => {
      assert.equal(closesCircle(newcomer, others)?.agent_name, expected)
    })
})
