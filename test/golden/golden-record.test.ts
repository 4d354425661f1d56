import assert from 'node:assert/strict'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { openSqliteRecords } from '../../src/adapters/records/sqlite/open-sqlite-records.ts'
import { RECORD_VERSION } from '../../src/run/record/record-version.ts'
import { resultOf } from '../../src/run/result.ts'
import type { RunState } from '../../src/run/state.ts'

/** Every type of event, which the golden records of version 1 hold. */
const TYPES = [
  'approval.lapsed',
  'call.answered',
  'call.failed',
  'call.held',
  'deadline.passed',
  'hook.ran',
  'judge.answered',
  'judge.failed',
  'memory.read',
  'model.answered',
  'model.failed',
  'person.decided',
  'run.cancelled',
  'run.paused',
  'run.resumed',
  'run.started',
  'user.said',
]

interface Expected {
  readonly state: unknown
  readonly result: unknown
}

const dumps = globSync('record-v*/records.sql', { cwd: import.meta.dirname })

test('there is a golden record of the version that is written now', () => {
  assert.ok(dumps.includes(join(`record-v${RECORD_VERSION}`, 'records.sql')), dumps.join(', '))
})

for (const dump of dumps)
  test(`golden records ${dirname(dump)}: every run folds to the state and the result that it had, and can be resumed`, async (t) => {
    const place = join(import.meta.dirname, dirname(dump))
    const expected: Readonly<Record<string, Expected>> = JSON.parse(
      readFileSync(join(place, 'expected.json'), 'utf8'),
    )
    const home = mkdtempSync(join(tmpdir(), 'waybill-golden-'))
    t.after(() => rmSync(home, { recursive: true, force: true }))
    const db = new DatabaseSync(join(home, 'waybill.db'))
    db.exec(readFileSync(join(place, 'records.sql'), 'utf8'))
    db.close()
    const records = openSqliteRecords(home, { signAudit: () => assert.fail('reading signs nothing') })
    t.after(() => records.close())
    const types = new Set<string>()
    const { items } = await records.runs.list()
    assert.deepEqual(items.map(({ run_id }) => run_id).sort(), Object.keys(expected).sort())
    for (const { run_id, damaged, status } of items) {
      assert.equal(damaged, undefined)
      const { plan, state } = await records.runs.read(run_id)
      assert.deepEqual(knownMembers(state, expected[run_id]), expected[run_id]?.state, run_id)
      assert.deepEqual(plain(resultOf(plan, state)), expected[run_id]?.result, run_id)
      assert.equal(status, state.status)
      for (const { fact } of await records.runs.events(run_id)) types.add(fact.type)
      const opened = await records.runs.open(run_id)
      assert.deepEqual(knownMembers(opened.state, expected[run_id]), expected[run_id]?.state)
      assert.equal((await records.runs.sealed(run_id)).length, state.seq)
      await opened.close()
    }
    assert.deepEqual([...types].sort(), TYPES)
    assert.equal((await records.runs.decisions('waits')).length, 1)
    assert.equal((await records.grants.list())[0]?.uses_left, 3)
    assert.equal((await records.routes.read()).size, 1)
    assert.equal((await records.memory.list({}, 0))[0]?.content, 'green')
    assert.equal((await records.audit.head())?.n, (await records.audit.lines()).length)
  })

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

/** Returns the members of a state that it had when the record was made: a later version may add members. */
function knownMembers(state: RunState, expected: Expected | undefined): unknown {
  const known = Object.keys(expected?.state ?? {})
  return Object.fromEntries(Object.entries(plain(state) as object).filter(([name]) => known.includes(name)))
}
