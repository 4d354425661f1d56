import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { memoryRecords } from '../../../src/adapters/records/memory/memory-records.ts'
import type { RunState } from '../../../src/run/state.ts'
import {
  answered,
  type Driven,
  drive,
  ended,
  idsOf,
  newRun,
  type RunOptions,
  refused,
  started,
} from '../../../src/testing/contracts/records-fixture.ts'

type Memory = ReturnType<typeof memoryRecords>

async function begin(records: Memory, id: string, options: RunOptions = {}): Promise<Driven> {
  const run = await drive(records, newRun(id, options))
  await run.append(started(id))
  return run
}

/** Drives a run to its end and closes it. */
async function over(records: Memory, id: string, options: RunOptions = {}): Promise<Driven> {
  const run = await begin(records, id, options)
  await run.append(...ended('completed'))
  await run.run.close()
  return run
}

const kept = (records: Memory) => idsOf(records.runs.list().items).toSorted()

describe('records in memory keep a limited number of ended runs', () => {
  const table: readonly (readonly [number | undefined, readonly string[]])[] = [
    [undefined, ['r1', 'r2', 'r3']],
    [4, ['r1', 'r2', 'r3']],
    [3, ['r1', 'r2', 'r3']],
    [2, ['r2', 'r3']],
    [1, ['r3']],
    [0, []],
  ]
  for (const [keepEnded, ids] of table)
    test(`${keepEnded ?? 'no number'}: of three ended runs ${ids.length} are kept, the ones that were closed last`, async () => {
      const records = memoryRecords({ ...(keepEnded !== undefined && { keepEnded }) })
      for (const id of ['r1', 'r2', 'r3']) await over(records, id)
      assert.deepEqual(kept(records), ids)
    })

  test('a leased run is kept, even if it has ended', async () => {
    const records = memoryRecords({ keepEnded: 0 })
    const driving = await begin(records, 'driving')
    await driving.append(...ended('failed'))
    await over(records, 'r1')
    assert.deepEqual(kept(records), ['driving'])
    await driving.run.close()
    assert.deepEqual(kept(records), [])
  })

  const statuses: readonly (readonly [RunState['status'], (run: Driven) => Promise<void>])[] = [
    ['running', async () => {}],
    ['waiting', (run) => run.append(...answered('asking'))],
    ['paused', (run) => run.append({ type: 'run.paused', by: 'ann' })],
  ]
  for (const [status, lead] of statuses)
    test(`a run that was closed while it is ${status} is kept, and does not count`, async () => {
      const records = memoryRecords({ keepEnded: 1 })
      const open = await begin(records, 'open')
      await lead(open)
      assert.equal(open.state.status, status)
      await open.run.close()
      await over(records, 'r1')
      assert.deepEqual(kept(records), ['open', 'r1'])
      await over(records, 'r2')
      assert.deepEqual(kept(records), ['open', 'r2'])
    })

  test('a root run is removed with the runs of its sub-agents, which do not count', async () => {
    const records = memoryRecords({ keepEnded: 1 })
    const root = await begin(records, 'root')
    await over(records, 'child', { parent: { run_id: 'root', root_run_id: 'root' } })
    await over(records, 'grandchild', { parent: { run_id: 'child', root_run_id: 'root' } })
    await root.append(...ended('completed'))
    await root.run.close()
    assert.deepEqual(kept(records), ['child', 'grandchild', 'root'])
    await over(records, 'r1')
    assert.deepEqual(kept(records), ['r1'])
  })

  test('a root run is kept while the run of a sub-agent is leased, and removed after it', async () => {
    const records = memoryRecords({ keepEnded: 1 })
    await over(records, 'root')
    await over(records, 'child', { parent: { run_id: 'root', root_run_id: 'root' } })
    const child = await drive(records, 'child')
    await over(records, 'r1')
    assert.deepEqual(kept(records), ['child', 'r1', 'root'])
    await child.run.close()
    assert.deepEqual(kept(records), ['child', 'root'])
    await over(records, 'r2')
    assert.deepEqual(kept(records), ['r2'])
  })

  test("a root run that has ended counts when it is closed, not when its sub-agent's run is", async () => {
    const records = memoryRecords({ keepEnded: 1 })
    await over(records, 'r1')
    const root = await begin(records, 'root')
    await root.append(...ended('completed'))
    await over(records, 'child', { parent: { run_id: 'root', root_run_id: 'root' } })
    assert.deepEqual(kept(records), ['child', 'r1', 'root'])
    await root.run.close()
    assert.deepEqual(kept(records), ['child', 'root'])
  })

  test('a run that is continued is kept meanwhile, and counts as the last one when it is closed again', async () => {
    const records = memoryRecords({ keepEnded: 1 })
    await over(records, 'r1')
    const again = await drive(records, 'r1')
    await over(records, 'r2')
    await over(records, 'r3')
    assert.deepEqual(kept(records), ['r1', 'r3'])
    await again.tick()
    await again.append(...ended('completed'))
    await again.run.close()
    assert.deepEqual(kept(records), ['r1'])
  })

  test('a run that was continued and closed before its end does not count any more', async () => {
    const records = memoryRecords({ keepEnded: 2 })
    await over(records, 'r1')
    await over(records, 'r2')
    const again = await drive(records, 'r1')
    await again.tick()
    await again.run.close()
    await over(records, 'r3')
    assert.deepEqual(kept(records), ['r1', 'r2', 'r3'])
  })

  test('of two that end in turn, the one that was continued last is kept', async () => {
    const records = memoryRecords({ keepEnded: 2 })
    await over(records, 'r1')
    await over(records, 'r2')
    await (await drive(records, 'r1')).run.close()
    await over(records, 'r3')
    assert.deepEqual(kept(records), ['r1', 'r3'])
  })

  test('closing a run twice does not make it newer', async () => {
    const records = memoryRecords({ keepEnded: 2 })
    const first = await over(records, 'r1')
    await over(records, 'r2')
    await first.run.close()
    await over(records, 'r3')
    assert.deepEqual(kept(records), ['r2', 'r3'])
  })

  test('a removed run cannot be read, and its id can be used again', async () => {
    const records = memoryRecords({ keepEnded: 0 })
    await over(records, 'r1')
    await refused('RUN_NOT_FOUND', () => records.runs.read('r1'))
    await begin(records, 'r1')
    assert.deepEqual(kept(records), ['r1'])
  })
})
