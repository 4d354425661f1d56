import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Fidelity, joinedReports } from '../../src/state/fidelity.ts'

test('reports of several steps are one, in their order', () => {
  const [first, second] = [new Fidelity(), new Fidelity()]
  first.leftBehind('memory_snapshot', 'an extension keeps it')
  second.kept('iteration')
  second.approximated('conversation', 'cut')
  second.below('w1: ').carried('x-waybill.run')
  assert.deepEqual(joinedReports(first.report(), new Fidelity().report(), second.report()), {
    entries: [
      { part: 'memory_snapshot', status: 'left_behind', note: 'an extension keeps it' },
      { part: 'iteration', status: 'kept' },
      { part: 'conversation', status: 'approximated', note: 'cut' },
      { part: 'w1: x-waybill.run', status: 'carried' },
    ],
    summary: { kept: 1, carried: 1, approximated: 1, left_behind: 1 },
  })
})
