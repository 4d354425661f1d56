import assert from 'node:assert/strict'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { SqliteRecords } from '../../../src/adapters/records/sqlite/open-sqlite-records.ts'
import type { Arrival, NewMove } from '../../../src/run/record/move-records.ts'
import {
  answered,
  decided,
  drive,
  fact,
  newRun,
  QUESTION,
  refused,
  started,
} from '../../../src/testing/contracts/records-fixture.ts'
import { folderOf, openIn, tamper } from './records-fixture.ts'

const move = (members: Partial<NewMove> = {}): NewMove => ({
  jti: 'token-1',
  run_id: 'r1',
  source: 'urn:waybill:home:here',
  target: 'https://there.example/organisations/acme',
  url: 'https://there.example',
  method: 'document',
  by: 'ada',
  paused: false,
  ...members,
})

const state = { document: '{}', state_id: 's1', checksum: 'c1', expires_at: 1000 }
const failure = { code: 'STATE_TOKEN_EXPIRED', why: 'too late' }

const arrival = (members: Partial<Arrival> = {}): Arrival => ({
  jti: 'token-2',
  state: 'owned',
  run_id: 'n1',
  source: 'https://there.example/organisations/acme',
  source_run_id: 'r9',
  url: 'https://there.example',
  state_id: 's2',
  checksum: 'c2',
  ...members,
})

/** A run with an open question, and one of a sub-agent of a sub-agent. */
async function waiting(records: SqliteRecords): Promise<void> {
  const run = await drive(records, newRun('r1'))
  await run.append(started('r1'))
  await run.append(...answered('asking'))
  await run.run.close()
  const below = await drive(records, newRun('r1a', { parent: { run_id: 'r1', root_run_id: 'r1' } }))
  await below.append(started('r1a'))
  await below.run.close()
}

const begin = async ({ moves }: SqliteRecords, members: Partial<NewMove> = {}) => {
  const next = move(members)
  return moves.begin(next, await moves.mark(next.run_id), [fact('run.move_started')])
}

describe('moves of a home', () => {
  test('a run that moves is changed by nothing else, and shown so', async (t) => {
    const home = join(folderOf(t), 'home')
    const records = openIn(t, home)
    await waiting(records)
    const held = await records.runs.open('r1')
    await refused('RUN_LOCKED', () => begin(records))
    assert.equal(await records.moves.read('token-1'), undefined)
    await held.close()
    assert.equal(await begin(records), true)

    const owner = move().target
    const refuseAll = async (code: string) => {
      for (const runId of ['r1', 'r1a']) {
        await refused(code, () => records.runs.open(runId))
        await refused(code, () => records.runs.askPause(runId, 'ada'))
      }
      await refused(code, () => records.runs.decide('r1', QUESTION, decided('ann', 2)))
      await refused(code, () => begin(records, { jti: 'token-3' }))
    }
    await refuseAll('RUN_MOVING')
    await refused('RUN_MOVING', () => records.runs.remove('r1'))
    assert.deepEqual((await records.runs.listed('r1')).moved, { phase: 'moving', owner, run_id: null })
    assert.deepEqual((await records.runs.list({ questions: true })).items, [])
    assert.equal((await records.runs.listed('r1')).questions, 0)

    // Whatever writes: also another version, which does not know the rows.
    for (const statement of [
      'UPDATE progress SET epoch = epoch + 1 WHERE run = 1',
      'UPDATE progress SET seq = 9 WHERE run = 2',
      `INSERT INTO events (run, seq, line, checksum) VALUES (1, 3, '{}', 0)`,
      `INSERT INTO decisions (run, key, asked, line, checksum) VALUES (1, 'k', 9, '{}', 0)`,
      `INSERT INTO pauses (run, by) VALUES (2, 'eve')`,
    ])
      assert.throws(() => tamper(home, statement), /the run is not here/, statement)
    assert.throws(() => tamper(home, 'DELETE FROM runs WHERE id = 1'), /the run is being moved/)
    await assert.rejects(
      async () => records.runs.create(newRun('r1b', { parent: { run_id: 'r1', root_run_id: 'r1' } })),
      /the run is not here/,
    )

    assert.equal(await records.moves.giveAway('token-1', 'there-1', [fact('run.moved')]), true)
    assert.equal(await records.moves.giveAway('token-1', 'there-2', [fact('run.moved')]), false)
    assert.equal(await records.moves.takeBack('token-1', failure, [fact('run.kept')]), false)
    await refuseAll('RUN_MOVED')
    assert.deepEqual((await records.runs.listed('r1')).moved, { phase: 'moved', owner, run_id: 'there-1' })
    assert.equal((await records.moves.ofTarget('there-1'))?.run_id, 'r1')
    const kinds = (await records.audit.lines()).map((line) => JSON.parse(line).fact.kind)
    assert.deepEqual(kinds, ['run.move_started', 'run.moved'])
    // The record of a run that has moved may be removed. Its move stays.
    assert.deepEqual(await records.runs.remove('r1'), ['r1', 'r1a'])
    assert.equal((await records.moves.read('token-1'))?.phase, 'moved')
  })

  test('a process that held the run cannot append after the freeze', async (t) => {
    const home = join(folderOf(t), 'home')
    const [dead, records] = [openIn(t, home), openIn(t, home)]
    const run = await drive(dead, newRun('r1'))
    await run.append(started('r1'))
    dead.abandon()
    assert.equal(await begin(records), true)
    assert.equal((await records.runs.listed('r1')).live, false)
    await refused('RUN_MOVING', () => records.runs.open('r1'))
  })

  test('a run that has continued, or has a new decision, is not frozen', async (t) => {
    const records = openIn(t, join(folderOf(t), 'home'))
    await waiting(records)
    for (const change of [
      () => records.runs.decide('r1', QUESTION, decided('ann', 2)),
      async () => {
        const run = await drive(records, 'r1')
        await run.tick()
        await run.run.close()
      },
      async () => {
        const run = await drive(records, 'r1a')
        await run.tick()
        await run.run.close()
      },
    ]) {
      const mark = await records.moves.mark('r1')
      await change()
      assert.equal(await records.moves.begin(move(), mark, [fact('run.move_started')]), false)
    }
    assert.equal(await records.moves.ofRun('r1'), undefined)
    assert.deepEqual(await records.audit.lines(), [])
    await (await records.runs.open('r1')).close()
    await refused('RUN_NOT_FOUND', () => records.moves.mark('r2'))
  })

  test('a move that was taken back leaves the run as it was, and may be repeated', async (t) => {
    const records = openIn(t, join(folderOf(t), 'home'))
    await waiting(records)
    await begin(records)
    await records.moves.storeState('token-1', state)
    await records.moves.storeState('token-1', { ...state, document: '{"other":1}' })
    const sent = await records.moves.read('token-1')
    assert.deepEqual([sent?.document, sent?.expires_at, sent?.phase], ['{}', 1000, 'sending'])
    await records.moves.withdraw('token-1', failure)
    await records.moves.withdraw('token-1', { code: 'OTHER', why: 'later' })
    const back = await records.moves.read('token-1')
    assert.deepEqual([back?.phase, back?.code], ['withdrawing', 'STATE_TOKEN_EXPIRED'])
    await refused('RUN_MOVING', () => records.runs.open('r1'))
    assert.equal(await records.moves.takeBack('token-1', failure, [fact('run.kept')]), true)
    assert.equal(await records.moves.takeBack('token-1', failure, [fact('run.kept')]), false)
    assert.equal((await records.moves.read('token-1'))?.document, null)
    await records.moves.withdraw('token-1', failure)
    assert.equal((await records.moves.read('token-1'))?.phase, 'kept')
    assert.equal((await records.runs.list({ questions: true })).items.length, 1)
    for (const runId of ['r1', 'r1a']) await (await records.runs.open(runId)).close()
    assert.equal(await begin(records, { jti: 'token-4' }), true)
    assert.equal((await records.moves.ofRun('r1'))?.jti, 'token-4')
  })

  test('the first decision about a token counts, and is stored with its runs or not at all', async (t) => {
    const home = join(folderOf(t), 'home')
    const [records, other] = [openIn(t, home), openIn(t, home)]
    const runs = [{ ...newRun('n1'), events: [{ seq: 1, at: 1, fact: started('n1'), decision: {} }] }]
    const both = await Promise.all([
      records.moves.receive(arrival(), runs, [fact('run.received')]),
      other.moves.receive(
        arrival({ run_id: 'n2' }),
        [{ ...newRun('n2'), events: [] }],
        [fact('run.received')],
      ),
    ])
    assert.deepEqual(both[0], both[1])
    assert.equal((await records.runs.list()).items.length, 1)
    assert.equal((await records.audit.lines()).length, 1)
    assert.equal((await records.moves.refuse(arrival({ state: 'refused', run_id: null }), [])).state, 'owned')
    assert.throws(() => tamper(home, `UPDATE arrivals SET run_id = 'n9'`), /is final/)

    const [won] = both
    assert.equal(won?.reported, false)
    await records.moves.reported('token-2')
    assert.equal((await records.moves.arrival('token-2'))?.reported, true)
    assert.equal((await records.moves.arrivalOf('https://there.example', 'r9'))?.jti, 'token-2')
    assert.equal(await records.moves.arrivalOf('https://else.example', 'r9'), undefined)

    const never = await records.moves.refuse(arrival({ jti: 'token-5', state: 'refused', run_id: null }), [
      fact('migration.withdrawn'),
    ])
    assert.equal(never.state, 'refused')
    const late = await records.moves.receive(
      arrival({ jti: 'token-5', run_id: 'n3' }),
      [{ ...newRun('n3'), events: [] }],
      [fact('run.received')],
    )
    assert.deepEqual([late.state, late.run_id], ['refused', null])
    assert.equal(await records.runs.has('n3'), false)
    assert.equal((await records.moves.arrivalOf('https://there.example', 'r9'))?.jti, 'token-5')
    // A run with this id is here already: nothing is decided.
    const same = won?.run_id ?? ''
    await refused('RUN_EXISTS', () =>
      records.moves.receive(arrival({ jti: 'token-6', run_id: same }), [{ ...newRun(same), events: [] }], []),
    )
    assert.equal(await records.moves.arrival('token-6'), undefined)
  })

  test('reading moves creates no home', async (t) => {
    const records = openIn(t, join(folderOf(t), 'home'))
    assert.equal(await records.moves.read('token-1'), undefined)
    assert.equal(await records.moves.ofRun('r1'), undefined)
    assert.equal(await records.moves.arrival('token-1'), undefined)
    await refused('RUN_NOT_FOUND', () => records.moves.mark('r1'))
  })
})
