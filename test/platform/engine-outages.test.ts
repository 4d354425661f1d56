import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { WorkerLease } from '../../src/platform/engine/lease.ts'
import type { LegHost } from '../../src/platform/engine/leg.ts'
import { LiveRuns } from '../../src/platform/engine/live-runs.ts'
import {
  recoverRuns,
  releaseEnded,
  releaseUndriven,
  wakeDue,
  workerReturned,
} from '../../src/platform/engine/reconcile.ts'
import { asStorageError, unreachable } from '../../src/platform/records/storage-errors.ts'
import type { ModelPort } from '../../src/run/ports.ts'
import { AgentSessions } from '../../src/session/agent-sessions.ts'
import { leaveDecision } from '../../src/session/leave-decision.ts'
import type { Session } from '../../src/session/session.ts'
import { allWaitingCalls } from '../../src/session/waiting-calls.ts'
import { heldModel, legPlace, until } from './leg-place.ts'
import { addWorker, asWorker } from './records/organisation.ts'
import { scriptedRun } from './scripted-agent.ts'

describe('a worker that was only cut off from the database', () => {
  it('does not count as killed by the runs that were taken from it', async (t) => {
    const { database, engine, records, queued, worker } = await legPlace(t)
    await queued('r1')
    let cutOff: string | undefined
    for (let outage = 0; outage < 4; outage++) {
      const { name, runs } = await worker()
      const held = await runs.openLeg('r1', (await records.runs.listed('r1')).leg)
      assert.equal(held?.deaths, outage === 0 ? 0 : 1)
      if (cutOff !== undefined) await workerReturned(engine, cutOff)
      assert.equal((await records.runs.listed('r1')).deaths, 0)
      await addWorker(database, name, -1)
      cutOff = name
      assert.equal(await recoverRuns(engine), 1)
    }
  })

  it('gives back the runs that no other worker has taken, which continue at once', async (t) => {
    const { database, engine, records, queued, worker } = await legPlace(t)
    await queued('r1')
    const { name, runs } = await worker()
    await runs.openLeg('r1', 1)
    await addWorker(database, name, -1)
    await workerReturned(engine, name)
    const { leg, live, deaths } = await records.runs.listed('r1')
    assert.deepEqual([leg, live, deaths], [2, false, 0])
    assert.equal((await (await worker()).runs.openLeg('r1', 2))?.deaths, 0)
  })

  it('gives each run back once, also if its return is noted twice at once', async (t) => {
    const { database, engine, records, queued, worker } = await legPlace(t)
    await queued('r1')
    const { name, runs } = await worker()
    await runs.openLeg('r1', 1)
    await addWorker(database, name, -1)
    const client = await engine.connect()
    try {
      await client.query(`BEGIN; SELECT * FROM waybill.progress WHERE run_id = 'r1' FOR UPDATE`)
      const noted = Promise.all([workerReturned(engine, name), workerReturned(engine, name)])
      await until(async () => {
        const { rows } = await engine.query(
          `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
        )
        return rows.length === 2
      })
      await client.query('COMMIT')
      await noted
    } finally {
      client.release()
    }
    assert.equal((await records.runs.listed('r1')).leg, 2)
  })

  for (const [when, stops] of [
    ['when it holds a lease again', false],
    ['when it is stopped in good order', true],
  ] as const)
    it(`reports its return ${when}`, async (t) => {
      const { database, engine, records, queued } = await legPlace(t)
      await queued('r1')
      const lease = new WorkerLease(engine, { leaseMs: 250, queues: [], onLapsed: () => {} })
      await lease.start()
      t.after(() => lease.stop())
      assert.ok(await asWorker(t, database, 'a', lease.identity).runs.openLeg('r1', 1))
      const client = await engine.connect()
      try {
        await client.query('BEGIN; SELECT * FROM waybill.workers FOR UPDATE')
        await until(async () => {
          const { rows } = await engine.query('SELECT 1 FROM waybill.workers WHERE until < clock_timestamp()')
          return rows.length === 1
        })
        const stopped = stops ? lease.stop() : undefined
        await client.query('COMMIT')
        await stopped
      } finally {
        client.release()
      }
      await until(async () => (await records.runs.listed('r1')).leg === 2)
      const { live, deaths } = await records.runs.listed('r1')
      assert.deepEqual([live, deaths], [false, 0])
    })
})

describe('a worker that dies', () => {
  /** A run whose worker has died twice. */
  async function twice(t: TestContext) {
    const place = await legPlace(t)
    const { database, engine, records, worker } = place
    const take = async () => {
      const { name, runs } = await worker()
      const held = await runs.openLeg('r1', (await records.runs.listed('r1')).leg)
      assert.ok(held)
      const dies = async () => {
        await addWorker(database, name, -1)
        assert.equal(await recoverRuns(engine), 1)
      }
      const storesAt = (run_id: string, seconds: number) =>
        engine.query('UPDATE waybill.progress SET updated_at = $2 WHERE run_id = $1', [
          run_id,
          Date.now() + seconds * 1000,
        ])
      return { deaths: held.deaths, dies, storesAt, runs }
    }
    await place.queued('r1')
    for (let n = 0; n < 2; n++) await (await take()).dies()
    return { take }
  }

  it('counts if the run stored its last event directly after it was taken', async (t) => {
    const { take } = await twice(t)
    const third = await take()
    assert.equal(third.deaths, 2)
    await third.storesAt('r1', 50)
    await third.dies()
    assert.equal((await take()).deaths, 3)
  })

  it('does not count, nor do those before, if the run made progress for a minute', async (t) => {
    const { take } = await twice(t)
    const third = await take()
    await third.storesAt('r1', 70)
    await third.dies()
    const fourth = await take()
    assert.equal(fourth.deaths, 0)
    // The clock of the third worker was ahead.
    await fourth.dies()
    assert.equal((await take()).deaths, 1)
  })

  it('does not count if a sub-agent of the run made progress', async (t) => {
    const { take } = await twice(t)
    const third = await take()
    const { header, ...child } = scriptedRun('child', { pays: 1 })
    const parent = { run_id: 'r1', root_run_id: 'r1', call_id: 'c1', alias: 'helper' }
    await third.runs.create({ ...child, header: { ...header, parent } })
    await third.storesAt('child', 70)
    await third.dies()
    assert.equal((await take()).deaths, 0)
  })
})

describe('a database that is away', () => {
  it('never sets a run aside, but an error of the run does', async (t) => {
    const { engine, records, queued, legOf } = await legPlace(t)
    await queued('r1')
    const failWith = (error: Error) => legOf('r1', { sessionsOf: () => Promise.reject(error) })
    const again = async () => {
      await engine.query('UPDATE waybill.progress SET due_at = 0')
      await wakeDue(engine)
    }
    const full = Object.assign(new Error('No space left on device'), { code: '53100' })
    for (const error of [unreachable(), full, asStorageError(full) as Error, unreachable(), full]) {
      await failWith(error)
      const { phase, live, due_at } = await records.runs.listed('r1')
      assert.deepEqual([phase, live, due_at === null], ['parked', false, false])
      await again()
    }
    for (let n = 0; n < 5; n++) {
      await failWith(new Error('a secret is missing'))
      await again()
    }
    assert.equal((await records.runs.listed('r1')).phase, 'set_aside')
  })

  it('leaves no lease of a leg that has ended', async (t) => {
    const { engine, records, queued, worker } = await legPlace(t)
    for (const id of ['r1', 'r2']) await queued(id)
    const { name, runs } = await worker()
    for (const id of ['r1', 'r2']) await runs.openLeg(id, 1)
    await releaseUndriven(engine, name, (_org, run) => run === 'r2')
    assert.deepEqual(
      [(await records.runs.listed('r1')).live, (await records.runs.listed('r2')).live],
      [false, true],
    )
  })

  it('leaves no lease of a run that has ended, whose worker died before the release', async (t) => {
    const { engine, queued, worker } = await legPlace(t)
    const { name } = await worker()
    for (const [id, phase, holder] of [
      ['r1', 'over', 'dead'],
      ['r2', 'over', name],
      ['r3', 'queued', 'dead'],
    ] as const) {
      await queued(id)
      await engine.query('UPDATE waybill.progress SET phase = $2, holder = $3 WHERE run_id = $1', [
        id,
        phase,
        holder,
      ])
    }
    await releaseEnded(engine)
    const { rows } = await engine.query(
      'SELECT run_id FROM waybill.progress WHERE holder IS NOT NULL ORDER BY 1',
    )
    assert.deepEqual(rows, [{ run_id: 'r2' }, { run_id: 'r3' }])
  })
})

describe('a worker whose lease lapses while it opens a run', () => {
  it('takes no slot, asks no model and records nothing', async (t) => {
    const { engine, records, queued, legOf, driving } = await legPlace(t)
    await queued('r1', { runtime: { concurrency: 1 } })
    const lease = new WorkerLease(engine, { leaseMs: 60_000, queues: [], onLapsed: () => {} })
    await lease.start()
    t.after(() => lease.stop())
    let isHeld = true
    const lapsing = {
      get identity() {
        return lease.identity
      },
      isHeld: (identity: string) => isHeld && lease.isHeld(identity),
      untilHeld: (signal: AbortSignal) => lease.untilHeld(signal),
    } as WorkerLease
    const sessionsOf = openedWith(driving, () => {
      isHeld = false
    })
    const model: ModelPort = { ask: async () => assert.fail('the model was asked') }
    await legOf('r1', { ...driving, sessionsOf, lease: lapsing, model })
    const { seq, phase } = await records.runs.listed('r1')
    assert.deepEqual([seq, phase], [0, 'queued'])
    assert.deepEqual((await engine.query('SELECT * FROM waybill.slots')).rows, [])
  })
})

describe('a command to a run', () => {
  for (const [order, isFirst] of [
    ['before', true],
    ['after', false],
  ] as const)
    it(`a person's pause ${order} the end of its worker is kept`, async (t) => {
      const { engine, records, queued, legOf, command } = await legPlace(t)
      await queued('r1')
      const { model, asked, release } = heldModel()
      const stopping = new AbortController()
      const live = new LiveRuns(engine, 20)
      const leg = legOf('r1', { model, live, stopping: stopping.signal })
      await asked
      if (isFirst) {
        await command('r1', 'pause')
        await live.look()
        stopping.abort()
      } else {
        stopping.abort()
        await command('r1', 'pause')
      }
      release()
      await leg
      const { phase, status, due_at } = await records.runs.listed('r1')
      assert.deepEqual([phase, status, due_at], ['parked', 'paused', null])
      assert.deepEqual((await engine.query('SELECT body FROM waybill.commands')).rows, [])
    })

  it('the end of its worker alone does not pause it: the next one resumes the run at once', async (t) => {
    const { engine, records, queued, legOf } = await legPlace(t)
    await queued('r1')
    const { model, asked, release } = heldModel()
    const stopping = new AbortController()
    const leg = legOf('r1', { model, stopping: stopping.signal })
    await asked
    stopping.abort()
    release()
    await leg
    assert.equal((await records.runs.listed('r1')).status, 'paused')
    await until(async () => (await wakeDue(engine)) === 1)
    await legOf('r1')
    assert.equal((await records.runs.listed('r1')).status, 'completed')
  })

  it('a run that a person has paused stays paused if its worker ends while it looks at it', async (t) => {
    const { engine, records, queued, legOf, command, driving } = await legPlace(t)
    await queued('r1')
    await command('r1', 'pause')
    await legOf('r1')
    assert.equal((await records.runs.listed('r1')).status, 'paused')
    // Something that leads to nothing.
    await records.runs.wake('r1')
    const stopping = new AbortController()
    const sessionsOf = openedWith(driving, (session) =>
      Object.assign(session, {
        wakeAt: async () => {
          stopping.abort()
          return null
        },
      }),
    )
    await legOf('r1', { ...driving, sessionsOf, stopping: stopping.signal })
    const { phase, status, due_at } = await records.runs.listed('r1')
    assert.deepEqual([phase, status, due_at], ['parked', 'paused', null])
    assert.deepEqual((await engine.query('SELECT body FROM waybill.commands')).rows, [])
  })

  it('a decision about a call of a sub-agent that comes just before the root parks is not lost', async (t) => {
    const { records, legOf, driving } = await legPlace(t)
    const asks = { compliance: { human_in_the_loop: { enabled: true } } }
    await records.runs.enqueue(scriptedRun('r1', { pays: 0, name: 'r1', steps: [['send']] }, asks), {})
    const sessionsOf: LegHost['sessionsOf'] = async (...run) => {
      const sessions = await driving.sessionsOf(...run)
      return Object.assign(sessions, {
        openHeld: async (...opened: Parameters<AgentSessions['openHeld']>) => {
          const session = await AgentSessions.prototype.openHeld.apply(sessions, opened)
          const { drive } = session
          return Object.assign(session, {
            drive: async (...turn: Parameters<typeof drive>) => {
              const driven = await drive(...turn)
              for (const { run, call } of (await allWaitingCalls(records)).calls)
                await leaveDecision(records, run.header.run_id, call.id, { verdict: 'approve', by: 'ann' })
              return driven
            },
          })
        },
      })
    }
    await legOf('r1', { ...driving, sessionsOf })
    assert.equal((await records.runs.listed('r1')).status, 'completed')
  })

  it('the question of a sub-agent lapses at its time, for which the root is parked', async (t) => {
    const { engine, records, legOf } = await legPlace(t)
    const asks = { compliance: { human_in_the_loop: { enabled: true, timeout_seconds: 1 } } }
    await records.runs.enqueue(scriptedRun('r1', { pays: 0, name: 'r1', steps: [['send']] }, asks), {})
    await legOf('r1')
    await until(async () => (await wakeDue(engine)) === 1)
    await legOf('r1')
    assert.equal((await records.runs.listed('r1')).status, 'completed')
  })

  it('a pause does not wait for a slot and releases the place, and the resumed run takes another one', async (t) => {
    const { engine, records, queued, legOf, command } = await legPlace(t)
    const agent = { runtime: { concurrency: 1 } }
    for (const id of ['r1', 'r2', 'r3']) await queued(id, agent)
    const { model, asked, release } = heldModel()
    t.after(release)
    const first = legOf('r1', { model })
    await asked
    const waiting = async () =>
      (await engine.query('SELECT run_id FROM waybill.slots WHERE NOT granted ORDER BY ticket')).rows
    const never: ModelPort = { ask: async () => assert.fail('the model was asked') }
    for (const id of ['r2', 'r3']) await legOf(id, { model: never })
    assert.deepEqual(await waiting(), [{ run_id: 'r2' }, { run_id: 'r3' }])
    await command('r2', 'pause')
    await legOf('r2', { model: never })
    const { phase, status } = await records.runs.listed('r2')
    assert.deepEqual([phase, status], ['parked', 'paused'])
    assert.deepEqual(await waiting(), [{ run_id: 'r3' }])
    await command('r2', 'resume')
    await legOf('r2', { model: never })
    assert.deepEqual(await waiting(), [{ run_id: 'r3' }, { run_id: 'r2' }])
    // A pause that replaces the resumption.
    await command('r2', 'pause')
    await legOf('r2', { model: never })
    assert.deepEqual(await waiting(), [{ run_id: 'r3' }])
    await command('r2', 'resume')
    await legOf('r2', { model: never })
    release()
    await first
    for (const id of ['r3', 'r2']) {
      await legOf(id)
      assert.equal((await records.runs.listed(id)).status, 'completed')
    }
    assert.deepEqual((await engine.query('SELECT * FROM waybill.slots')).rows, [])
  })

  it('a cancel does not wait for a slot, and the model is not asked', async (t) => {
    const { engine, records, queued, legOf, command } = await legPlace(t)
    const agent = { runtime: { concurrency: 1 } }
    await queued('r1', agent)
    await queued('r2', agent)
    const { model, asked, release } = heldModel()
    t.after(release)
    const first = legOf('r1', { model })
    await asked
    const second = heldModel()
    await legOf('r2', { model: second.model })
    assert.equal((await records.runs.listed('r2')).phase, 'slot')
    await command('r2', 'cancel')
    let questions = 0
    await legOf('r2', { model: { ask: async () => assert.fail(`asked ${++questions} times`) } })
    const { phase, status } = await records.runs.listed('r2')
    assert.deepEqual([phase, status, questions], ['over', 'cancelled', 0])
    release()
    await first
    assert.equal((await records.runs.listed('r1')).status, 'completed')
    assert.deepEqual((await engine.query('SELECT * FROM waybill.slots')).rows, [])
  })
})

/** Sessions after whose opening something happens. */
function openedWith(
  driving: Pick<LegHost, 'sessionsOf'>,
  then: (session: Session) => void,
): LegHost['sessionsOf'] {
  return async (...run) => {
    const sessions = await driving.sessionsOf(...run)
    return Object.assign(sessions, {
      openHeld: async (...opened: Parameters<AgentSessions['openHeld']>) => {
        const session = await AgentSessions.prototype.openHeld.apply(sessions, opened)
        then(session)
        return session
      },
    })
  }
}
