import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Holder } from '../../src/run/record/process-lock.ts'
import { standstills, type Waiting } from '../../src/run/record/slot-standstill.ts'

const process = (pid: number): Holder => ({ pid, started: null })

/** A run of one agent, in a process, that waits for a slot of another. */
function waits(ticket: string, pid: number, run: string, folder: string, limit = 1): Waiting {
  const [above = '', run_id = ''] = run.split('#')
  return { ticket, folder, holder: process(pid), agent: folder, limit, above: [{ folder: above, run_id }] }
}

/** Who gives way, given the processes that hold the slots of each folder. */
function gives(
  waiting: readonly Waiting[],
  held: Readonly<Record<string, readonly number[]>>,
): readonly string[] {
  return [...standstills(waiting, (folder) => (held[folder] ?? []).map(process)).keys()].map(
    ({ ticket }) => ticket,
  )
}

describe('AAIF §4.6 who waits for whom', () => {
  test('of a circle of three the last gives way, and nobody who waits beside it', () => {
    const circle = [waits('1', 1, 'a#r1', 'b'), waits('2', 2, 'b#r2', 'c'), waits('3', 3, 'c#r3', 'a')]
    const beside = waits('4', 4, 'd#r4', 'a')
    assert.deepEqual(gives([...circle, beside], { a: [1], b: [2], c: [3], d: [4] }), ['3'])
    assert.deepEqual(gives(circle.slice(0, 2), { a: [1], b: [2], c: [3] }), [])
  })

  test('one slot that will be given back is enough: nobody gives way', () => {
    const both = [waits('1', 1, 'a#r1', 'b', 2), waits('2', 2, 'b#r2', 'a')]
    assert.deepEqual(gives(both, { a: [1], b: [2, 3] }), [])
    assert.deepEqual(gives(both, { a: [1], b: [2] }), [])
    // Two runs of one process are two: the other of them still works.
    assert.deepEqual(gives(both, { a: [1], b: [2, 2] }), [])
    assert.deepEqual(gives([...both, waits('3', 2, 'b#r3', 'a')], { a: [1], b: [2, 2] }), ['3'])
  })

  test('a process whose runs wait in two branches holds a slot only once', () => {
    const branches = [waits('1', 1, 'a#r1', 'b'), waits('2', 1, 'a#r1', 'c'), waits('3', 2, 'b#r2', 'a', 2)]
    assert.deepEqual(gives(branches, { a: [1, 1], b: [2], c: [3] }), [])
    assert.deepEqual(gives(branches.slice(0, 2), { a: [1], b: [2], c: [3] }), [])
  })
})
