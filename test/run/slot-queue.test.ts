import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { SlotTicket } from '../../src/run/record/slot-circle.ts'
import { nextGranted, placeTicket } from '../../src/run/record/slot-queue.ts'

/** A ticket such as `a#r1`: run r1 of agent a; `above` in the same form. */
function ticket(run: string, granted: boolean, limit = 1, above: readonly string[] = []): SlotTicket {
  const parts = (text: string) => ({ agent: text.split('#')[0] ?? '', run_id: text.split('#')[1] ?? '' })
  const { agent, run_id } = parts(run)
  return { agent, agent_name: agent.toUpperCase(), limit, run_id, above: above.map(parts), granted }
}

const holds = (run: string, limit?: number) => ticket(run, true, limit)
const waits = (run: string, limit?: number, above?: readonly string[]) => ticket(run, false, limit, above)

const CIRCLE = [holds('a#r1'), holds('b#r2'), waits('b#w', 1, ['a#r1'])]

type Row = readonly [
  name: string,
  request: SlotTicket,
  tickets: readonly SlotTicket[],
  waiting: string,
  refusing: string,
]

/** Returns the outcome of the request if it may wait, and if it may not: an outcome and its holders, or a code. */
const PLACES: readonly Row[] = [
  ['no other ticket', waits('a#n'), [], 'granted', 'granted'],
  ['slots of other agents alone', waits('a#n'), [holds('b#r1'), waits('b#r2')], 'granted', 'granted'],
  ['one below the limit', waits('a#n', 3), [holds('a#r1', 3), holds('a#r2', 3)], 'granted', 'granted'],
  [
    'at the limit',
    waits('a#n', 2),
    [holds('a#r1', 2), holds('b#r9'), holds('a#r2', 2)],
    'waiting r1 r2',
    'CONCURRENCY_EXCEEDED',
  ],
  [
    'above the limit, since others asked under a higher one',
    waits('a#n', 1),
    [holds('a#r1', 2), holds('a#r2', 2)],
    'waiting r1 r2',
    'CONCURRENCY_EXCEEDED',
  ],
  [
    'a slot is free, and one that asked before waits',
    waits('a#n', 2),
    [holds('a#r1', 2), waits('a#r2', 1)],
    'waiting r1',
    'CONCURRENCY_EXCEEDED',
  ],
  [
    'its waiting would close a circle',
    waits('a#n', 1, ['b#r2']),
    CIRCLE,
    'CONCURRENCY_DEADLOCK',
    'CONCURRENCY_EXCEEDED',
  ],
  ['a circle that a free slot opens', waits('a#n', 2, ['b#r2']), CIRCLE, 'granted', 'granted'],
]

describe('AAIF §4.6: the outcome of a request for a slot', () => {
  for (const [name, request, tickets, waiting, refusing] of PLACES)
    for (const [wait, expected] of [
      [true, waiting],
      [false, refusing],
    ] as const)
      test(`${name}${wait ? '' : ', and it may not wait'}: ${expected}`, () => {
        const placed = placeTicket(request, tickets, wait, ({ run_id }) => ({ run_id }))
        const holders = placed.outcome === 'waiting' ? placed.holders.map(({ run_id }) => ` ${run_id}`) : []
        const shown =
          placed.outcome === 'refused'
            ? (placed.error as Error & { readonly code?: string }).code
            : `${placed.outcome}${holders.join('')}`
        assert.equal(shown, expected)
      })
})

const NEXT: readonly (readonly [name: string, mine: readonly SlotTicket[], granted: readonly string[]])[] = [
  ['no ticket', [], []],
  ['all are granted', [holds('a#r1')], []],
  ['no slot is free', [holds('a#r1'), waits('a#r2')], []],
  ['one slot is free', [waits('a#r1'), waits('a#r2')], ['r1']],
  [
    'two slots are free',
    [holds('a#r1', 3), waits('a#r2', 3), waits('a#r3', 3), waits('a#r4', 3)],
    ['r2', 'r3'],
  ],
  [
    'the first that waits does not fit, and one behind it would',
    [holds('a#r1', 2), waits('a#r2', 1), waits('a#r3', 2)],
    [],
  ],
  [
    'the second does not fit, and one behind it would',
    [waits('a#r1', 3), waits('a#r2', 1), waits('a#r3', 3)],
    ['r1'],
  ],
  ['one granted behind one that waits', [waits('a#r1', 2), holds('a#r2', 2), waits('a#r3', 2)], ['r1']],
]

describe('AAIF §4.6: slots are granted in the order of asking', () => {
  for (const [name, mine, granted] of NEXT)
    test(`${name}: ${granted.join(', ') || 'none'}`, () => {
      assert.deepEqual(
        nextGranted(mine).map(({ run_id }) => run_id),
        granted,
      )
    })
})
