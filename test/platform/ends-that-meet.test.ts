import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { countRun } from '../../src/platform/budgets/spending.ts'
import type { Database } from '../../src/platform/database/open-database.ts'
import type { LegHost } from '../../src/platform/engine/leg.ts'
import type { OnBusy } from '../../src/platform/engine/next-facts.ts'
import { lookForWork, recoverLost, recoverMessages } from '../../src/platform/engine/reconcile.ts'
import { RunCommands } from '../../src/platform/runs/run-commands.ts'
import { TenantSessions } from '../../src/platform/sessions/tenant-sessions.ts'
import { begunRuns } from './begun-runs.ts'
import { heldModel, legPlace, until } from './leg-place.ts'
import { scriptedModel, scriptedRun } from './scripted-agent.ts'

const PRINCIPAL = { organisation: 'a', user: 'ann', roles: ['admin' as const] }

/** The run `r1` of the session `s` is queued, and requests act on both. */
async function place(t: TestContext) {
  const made = await legPlace(t)
  const { engine, records, database } = made
  const { header, ...run } = scriptedRun('r1', { pays: 0 })
  await records.runs.enqueue({ ...run, header: { ...header, session: 's' } }, {})
  await engine.query(`INSERT INTO waybill.agents (org, agent_id, name) VALUES ('a', 'clerk', 'Clerk')`)
  await engine.query(
    `INSERT INTO waybill.conversations (org, session, agent_id, run_id) VALUES ('a', 's', 'clerk', 'r1')`,
  )
  const sessions = new TenantSessions({
    database,
    principal: PRINCIPAL,
    notify: () => {},
    runs: begunRuns(() => assert.fail('the session has a run')),
  })
  const commands = new RunCommands({
    database,
    principal: PRINCIPAL,
    records,
    notify: () => {},
    commanded: () => {},
  })
  const turns = async () => {
    const { state } = await records.runs.read('r1')
    const { phase } = await records.runs.listed('r1')
    return [state.turn, state.status, phase]
  }
  const left = async () => {
    const { rows } = await engine.query(
      `SELECT (SELECT count(*)::int FROM waybill.messages WHERE state = 'queued') AS messages,
         (SELECT count(*)::int FROM waybill.commands) AS commands`,
    )
    return rows[0]
  }
  return { ...made, sessions, commands, turns, left }
}

/** Locks the row of `r1`, so that what acts on it waits. */
async function locked(engine: pg.Pool) {
  const client = await engine.connect()
  await client.query(`BEGIN; SELECT FROM waybill.progress WHERE run_id = 'r1' FOR UPDATE`)
  return {
    /** Waits until so many connections wait for the row. */
    async waiting(count: number) {
      await until(async () => {
        const { rows } = await engine.query(
          `SELECT DISTINCT pid FROM pg_locks JOIN pg_stat_activity AS a USING (pid)
           WHERE a.datname = current_database() AND NOT granted`,
        )
        return rows.length >= count
      })
    },
    async release() {
      await client.query('COMMIT')
      client.release()
    },
  }
}

/** Connections whose statements fail from the moment at which a turn has ended on record. */
function failingAfterEnd(database: Database) {
  let fails = false
  const engine = new Proxy(database.engine, {
    get(target, name) {
      if (fails && (name === 'query' || name === 'connect'))
        return () => Promise.reject(Object.assign(new Error('the connection is lost'), { code: '57P01' }))
      const value: unknown = Reflect.get(target, name, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  const follow: LegHost['follow'] = async () => ({
    onEvent: ({ decision }) => {
      if (decision.end !== undefined) fails = true
    },
  })
  return { database: { ...database, engine }, follow }
}

describe('a message that meets the end of a turn', () => {
  for (const on_busy of ['enqueue', 'steer', 'interrupt', 'rollback'] as const satisfies readonly OnBusy[])
    for (const first of ['the end', 'the message'] as const)
      it(`${on_busy}: is taken in if ${first} comes first`, async (t) => {
        const { engine, legOf, sessions, turns, left } = await place(t)
        const { model, asked, release } = heldModel()
        const leg = legOf('r1', { model })
        await asked
        const row = await locked(engine)
        const send = () => sessions.send('s', { input: 'two', on_busy })
        if (first === 'the end') release()
        const sent = first === 'the end' ? undefined : send()
        await row.waiting(1)
        const later = first === 'the end' ? send() : release()
        if (first === 'the end') await row.waiting(2)
        else await sleep(100)
        await row.release()
        await Promise.all([sent, later, leg])
        // A leg that parks before the message is stored is followed by another one.
        if ((await turns())[2] === 'queued') await legOf('r1')
        const [turn, status, phase] = await turns()
        assert.deepEqual([status, phase, await left()], ['completed', 'over', { messages: 0, commands: 0 }])
        // A message that steers may have entered the first turn.
        assert.ok(turn === 2 || (on_busy === 'steer' && turn === 1), `${turn}`)
      })

  it('is taken in although the first statement after the append of the end fails', async (t) => {
    const { database, engine, legOf, sessions, turns, left } = await place(t)
    const { model, asked, release } = heldModel()
    const leg = legOf('r1', { model, ...failingAfterEnd(database) })
    await asked
    await sessions.send('s', { input: 'two' })
    release()
    await leg
    assert.deepEqual(await turns(), [1, 'completed', 'queued'])
    assert.equal(await recoverLost(engine), 1)
    assert.equal(await recoverLost(engine), 0)
    await legOf('r1')
    assert.deepEqual([await turns(), await left()], [[2, 'completed', 'over'], { messages: 0, commands: 0 }])
  })

  it('is found by a search if its run is over, once', async (t) => {
    const { engine, legOf, turns } = await place(t)
    await legOf('r1')
    await engine.query(
      `INSERT INTO waybill.messages (org, session, id, input, on_busy, state, by) VALUES ('a', 's', 'm', '"two"', 'enqueue', 'queued', 'ann')`,
    )
    assert.equal((await lookForWork(engine)).messages, true)
    const found = await Promise.all([recoverMessages(engine), recoverMessages(engine)])
    assert.deepEqual(found.toSorted(), [0, 1])
    assert.equal((await lookForWork(engine)).messages, false)
    await legOf('r1')
    assert.deepEqual(await turns(), [2, 'completed', 'over'])
    assert.equal((await lookForWork(engine)).messages, false)
    // A run that takes no turns is not opened again and again.
    await engine.query(`UPDATE waybill.messages SET state = 'queued', input = '"three"', id = 'n'`)
    await engine.query(`UPDATE waybill.progress SET status = 'refused'`)
    assert.equal((await lookForWork(engine)).messages, false)
    assert.equal(await recoverMessages(engine), 0)
  })
})

describe('a command that meets the end of a run', () => {
  for (const type of ['pause', 'resume', 'cancel'] as const)
    it(`${type}: is refused or has no effect if the end comes first, and is not kept for a later turn`, async (t) => {
      const { engine, legOf, commands, sessions, turns, left } = await place(t)
      const { model, asked, release } = heldModel()
      const leg = legOf('r1', { model })
      await asked
      const row = await locked(engine)
      release()
      await row.waiting(1)
      const given = commands.give('r1', { type }).catch(({ code }) => code)
      await row.waiting(2)
      await row.release()
      const answer = await given
      assert.deepEqual(answer, type === 'cancel' ? { run_id: 'r1', status: 'completed' } : 'RUN_ENDED')
      await leg
      assert.deepEqual(await left(), { messages: 0, commands: 0 })
      await sessions.send('s', { input: 'two' })
      await legOf('r1')
      assert.deepEqual(await turns(), [2, 'completed', 'over'])
    })

  it('a command that a dead worker has left does not reach the next turn', async (t) => {
    const { engine, legOf, sessions, turns, left } = await place(t)
    await legOf('r1')
    await engine.query(
      `INSERT INTO waybill.commands (org, run_id, body, by) VALUES ('a', 'r1', '{"type":"cancel"}', 'ann')`,
    )
    await sessions.send('s', { input: 'two' })
    let commandsAtQuestion: unknown
    const script = scriptedModel()
    await legOf('r1', {
      model: {
        async ask(...question) {
          commandsAtQuestion = (await left())?.commands
          return script.ask(...question)
        },
      },
    })
    assert.equal(commandsAtQuestion, 0, 'a crash in this turn would give it to the rest of the turn')
    assert.deepEqual(await turns(), [2, 'completed', 'over'])
  })
})

describe('use that is counted while a later turn ends', () => {
  it('remains to be counted', async (t) => {
    const { engine, records, legOf, sessions } = await place(t)
    await legOf('r1')
    const earlier = (await records.runs.read('r1')).state
    const payer = { org: 'a', agent_id: 'clerk' }
    await sessions.send('s', { input: 'two' })
    await legOf('r1')
    const due = async () => (await engine.query('SELECT due, tokens FROM waybill.counted')).rows[0]
    const { totals } = (await records.runs.read('r1')).state
    assert.equal((await due())?.due, false)
    // The process that counts has read the run before its second turn.
    await engine.query('UPDATE waybill.counted SET due = true, tokens = 0')
    await countRun(engine, payer, 'r1', earlier, new Date())
    assert.equal((await due())?.due, true)
    await countRun(engine, payer, 'r1', (await records.runs.read('r1')).state, new Date())
    assert.deepEqual(await due(), { due: false, tokens: totals.input_tokens + totals.output_tokens })
  })
})
