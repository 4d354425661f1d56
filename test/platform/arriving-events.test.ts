import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { inOrganisation } from '../../src/platform/database/tenant.ts'
import { ArrivingEvents } from '../../src/platform/moves/arriving-events.ts'
import type { RunEvent } from '../../src/run/event.ts'
import { decodeEvent } from '../../src/run/record/event-line.ts'
import { until } from './leg-place.ts'
import { testDatabase } from './postgres.ts'

/** An event of 100 KB. */
const event = (seq: number): RunEvent => ({
  seq,
  at: 1,
  fact: {
    type: 'messages.restored',
    messages: [{ role: 'user', text: `${seq}`.padEnd(100_000, '.') }],
    times: [1],
  },
  decision: {},
})
/** More than one transaction stores. */
const MANY = 100
/** What a sender of 100 KB events may be ahead of the database: two transactions of 4 MB. */
const MOST_AHEAD = 80

async function arriving(t: TestContext) {
  const { ownerUrl, database } = await testDatabase(t)
  await database.engine.query(`INSERT INTO waybill.organisations (org, name) VALUES ('a', 'A')`)
  const owner = new pg.Client({ connectionString: ownerUrl })
  // The database is removed before it is closed.
  owner.on('error', () => {})
  await owner.connect()
  t.after(() => owner.end())
  const rows = async (table: string) =>
    (await owner.query(`SELECT seq, line FROM waybill.${table} WHERE run_id = 'r' ORDER BY seq`)).rows
  return { owner, rows, app: database.app, events: new ArrivingEvents(database.app, 'a', 'r') }
}

describe('the events of a run that is arriving', () => {
  test('are stored in order, and become those of the run in one transaction', async (t) => {
    const { app, events, rows } = await arriving(t)
    for (let seq = 1; seq <= MANY; seq++) await events.add(event(seq))
    await events.settled()
    assert.deepEqual(await rows('events'), [])
    // A transaction that fails may be repeated.
    await assert.rejects(
      inOrganisation(app, 'a', async (sql) => {
        await events.moveTo(sql)
        throw new Error('it is not committed')
      }),
      /not committed/,
    )
    await inOrganisation(app, 'a', (sql) => events.moveTo(sql))
    const stored = await rows('events')
    assert.deepEqual(
      stored.map(({ seq, line }) => [seq, decodeEvent(line)]),
      Array.from({ length: MANY }, (_, n) => [n + 1, event(n + 1)]),
    )
    assert.deepEqual(await rows('arriving_events'), [])
  })

  test('are taken no faster than the database stores them', async (t) => {
    const { owner, events, rows } = await arriving(t)
    await owner.query('BEGIN; LOCK TABLE waybill.arriving_events IN ACCESS EXCLUSIVE MODE')
    let taken = 0
    const all = (async () => {
      for (; taken < 3 * MOST_AHEAD; taken++) await events.add(event(taken + 1))
      await events.settled()
    })()
    await until(() => taken > 10)
    for (let before = -1; before !== taken; await sleep(300)) before = taken
    const ahead = taken
    await owner.query('COMMIT')
    await all
    assert.ok(ahead < MOST_AHEAD, `${ahead} events were taken`)
    assert.ok((await rows('arriving_events')).length > 3 * MOST_AHEAD - 10)
  })

  test('that cannot be stored end the stream, and nothing of it remains', async (t) => {
    const { owner, events, rows } = await arriving(t)
    await owner.query(`ALTER TABLE waybill.arriving_events ADD CONSTRAINT no_more CHECK (seq < 60)`)
    await assert.rejects(async () => {
      for (let seq = 1; seq <= 500; seq++) await events.add(event(seq))
    }, /no_more/)
    await assert.rejects(events.settled(), /no_more/)
    await events.discard()
    assert.deepEqual(await rows('arriving_events'), [])
  })
})
