import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type pg from 'pg'
import { RunFollower } from '../../../src/platform/streams/run-follower.ts'
import { TextWriter } from '../../../src/platform/streams/text-writer.ts'
import type { RunEvent } from '../../../src/run/event.ts'
import { testDatabase } from '../postgres.ts'
import {
  answered,
  append,
  asked,
  Collected,
  failed,
  hookRan,
  stateAt,
  storeRun,
  until,
  VIEW,
} from './stored-run.ts'

const EVERY_MS = 10

/** A worker process and a server process on one database, and a run. */
async function scene(t: TestContext, options: { readonly patienceMs?: number } = {}) {
  const database = await testDatabase(t)
  const worker = database.database.engine
  const server = (await database.open()).engine
  await storeRun(worker, 'o', 'r')
  const writer = new TextWriter(worker, { everyMs: EVERY_MS })
  const follower = new RunFollower(server, { everyMs: EVERY_MS, ...options })
  const stop = new AbortController()
  t.after(async () => {
    stop.abort()
    follower.close()
    await writer.close()
  })
  const follow = (after = 0, runId = 'r', signal = stop.signal, by = follower) =>
    by.follow({ org: 'o', runId, after, signal, view: async () => VIEW })
  const collect = (after = 0) => {
    const collected = new Collected()
    return { collected, done: collected.read(follow(after)) }
  }
  return { database, worker, server, writer, follower, follow, collect }
}

const seqs = (events: readonly RunEvent[]) => events.map(({ seq }) => seq)

describe('following a run across processes', () => {
  it('1,000 clients that join at random times get every event once, and texts that continue their snapshot', async (t) => {
    const { worker, writer, follow } = await scene(t)
    const log: RunEvent[] = []
    const texts = new Map<string, string>()
    const joined: {
      readonly after: number
      readonly collected: Collected
      readonly done: Promise<unknown>
    }[] = []
    let seed = 7
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648
      return seed % below
    }
    const join = (count: number) => {
      for (let i = 0; i < count; i++) {
        const after = random(log.length + 1)
        const collected = new Collected()
        joined.push({ after, collected, done: collected.read(follow(after)) })
      }
    }
    const run = writer.run({ org: 'o', runId: 'r', epoch: 1, state: { seq: 0, attempt: null } })
    const add = async (event: RunEvent, attempt: number | null, phase?: string) => {
      await append(worker, 'o', 'r', event, phase)
      log.push(event)
      run.onEvent(event, stateAt(event.seq, attempt))
    }
    const pause = () => new Promise((resolve) => setTimeout(resolve, random(12)))
    const write = async (attempt: number, pieces: number) => {
      const key = String(attempt)
      for (let i = 0; i < pieces; i++) {
        const delta = `${attempt}.${i} wörd 😀 `
        texts.set(key, (texts.get(key) ?? '') + delta)
        run.onText(delta)
        if (i % 3 === 0) join(random(9))
        if (i % 2 === 0) await pause()
        // In mid-text, without an effect on it.
        if (i === 20) await add(hookRan(log.length + 1), attempt)
      }
      // Each client that is there now gets the whole text.
      const whole = texts.get(key)
      await until(() => joined.every((one) => one.collected.texts.at(-1)?.text === whole), `text ${attempt}`)
    }

    join(20)
    await add(asked(1, 1), 1)
    await write(1, 60)
    await add(failed(2 + 1, 1, 2), 2)
    await write(2, 60)
    await add(answered(log.length + 1, 2, texts.get('2') ?? ''), null)
    for (let i = 0; i < 250; i++) {
      await add(hookRan(log.length + 1), null)
      if (i % 25 === 0) join(25)
    }
    await add(asked(log.length + 1, 3, { type: 'user.said', input: 'more' }), 3)
    await write(3, 40)
    join(1000 - joined.length)
    await add(answered(log.length + 1, 3, texts.get('3') ?? ''), null, 'over')
    await Promise.all(joined.map(({ done }) => done))

    assert.equal(joined.length, 1000)
    for (const { after, collected } of joined) {
      assert.equal(collected.error, undefined)
      assert.equal(collected.ended, true)
      assert.deepEqual(collected.events, log.slice(after))
      assert.deepEqual(
        collected.texts.map(({ attempt }) => attempt),
        [...new Set(collected.texts.map(({ attempt }) => attempt))].sort(),
      )
      for (const { attempt, text } of collected.texts)
        assert.ok((texts.get(String(attempt)) ?? '').startsWith(text))
    }
    assert.ok(joined.filter(({ collected }) => collected.texts.length === 3).length > 20)
  })

  it('a client that joins before the run begins gets everything, and the end only when the run is over', async (t) => {
    const { worker, collect } = await scene(t)
    const { collected, done } = collect()
    await new Promise((resolve) => setTimeout(resolve, 30))
    await append(worker, 'o', 'r', asked(1, 1))
    await append(worker, 'o', 'r', hookRan(2), 'parked')
    await until(() => collected.events.length === 2, 'events')
    await new Promise((resolve) => setTimeout(resolve, 50))
    assert.equal(collected.ended, false, 'a run that waits for a person keeps the stream open')
    await append(worker, 'o', 'r', answered(3, 1, 'done'), 'over')
    await done
    assert.deepEqual([seqs(collected.events), collected.ended, collected.error], [[1, 2, 3], true, undefined])
  })

  it('a run that is over is answered whole, from any event on', async (t) => {
    const { worker, collect } = await scene(t)
    for (let seq = 1; seq < 700; seq++) await append(worker, 'o', 'r', hookRan(seq))
    await append(worker, 'o', 'r', hookRan(700), 'over')
    for (const after of [0, 1, 199, 200, 699, 700]) {
      const { collected, done } = collect(after)
      await done
      assert.equal(collected.events.length, 700 - after)
      assert.equal(collected.events[0]?.seq, after === 700 ? undefined : after + 1)
      assert.equal(collected.ended, true)
    }
  })

  it('runs of other organisations and unknown runs are not found', async (t) => {
    const { worker, follow, collect } = await scene(t)
    await storeRun(worker, 'p', 'theirs')
    for (const runId of ['theirs', 'unknown']) {
      const { error } = await new Collected().read(follow(0, runId))
      assert.equal((error as { code?: string }).code, 'RUN_NOT_FOUND')
    }
    // A run that is removed while it is followed.
    const { collected, done } = collect()
    await append(worker, 'o', 'r', asked(1, 1))
    await until(() => collected.events.length === 1, 'event')
    await worker.query(`DELETE FROM waybill.runs WHERE run_id = 'r'`)
    await done
    assert.equal((collected.error as { code?: string }).code, 'RUN_NOT_FOUND')
  })

  it('a run that is taken over in mid-text gives a new snapshot, and the old worker adds nothing to it', async (t) => {
    const { database, worker, writer, collect } = await scene(t)
    await append(worker, 'o', 'r', asked(1, 1))
    const old = writer.run({ org: 'o', runId: 'r', epoch: 1, state: stateAt(1, 1) })
    const { collected, done } = collect()
    old.onText('from the old worker')
    await until(() => collected.texts.length === 1, 'the first text')

    const other = new TextWriter((await database.open()).engine, { everyMs: EVERY_MS })
    // No event between: the same question is asked again under a new lease.
    const now = other.run({ org: 'o', runId: 'r', epoch: 2, state: stateAt(1, 1) })
    now.onText('from the ')
    await until(() => collected.texts.length === 2, 'the second text')
    // The old process was only stopped, and continues.
    old.onText(', which is late')
    now.onText('new worker')
    await until(() => collected.texts[1]?.text === 'from the new worker', 'the whole text')
    const late = collect(1)
    await until(() => late.collected.texts.length === 1, 'a late client')
    const event = answered(2, 1, 'from the new worker')
    await append(worker, 'o', 'r', event, 'over')
    now.onEvent(event, stateAt(2, null))
    await Promise.all([done, late.done])
    await other.close()
    assert.deepEqual(
      collected.texts.map(({ attempt, text }) => [attempt, text]),
      [
        [1, 'from the old worker'],
        [1, 'from the new worker'],
      ],
    )
    assert.deepEqual(
      late.collected.texts.map(({ text }) => text),
      ['from the new worker'],
    )
  })

  it('a text that a dead worker left behind is not shown once its answer is on record', async (t) => {
    const { worker, writer, collect } = await scene(t)
    await append(worker, 'o', 'r', asked(1, 1))
    const run = writer.run({ org: 'o', runId: 'r', epoch: 1, state: stateAt(1, 1) })
    run.onText('half a text')
    await until(async () => (await storedTexts(worker)).length === 1, 'the text')
    // The worker appends the answer, and dies before it removes the text.
    await append(worker, 'o', 'r', answered(2, 1, 'half a text and more'))
    await append(worker, 'o', 'r', hookRan(3))
    const all = [0, 1, 2, 3].map((after) => collect(after))
    await until(() => all.every(({ collected }, after) => collected.events.length === 3 - after), 'events')
    await new Promise((resolve) => setTimeout(resolve, 50))
    await append(worker, 'o', 'r', hookRan(4), 'over')
    await Promise.all(all.map(({ done }) => done))
    for (const { collected } of all) assert.deepEqual([collected.texts, collected.ended], [[], true])
  })

  it('a text whose beginning was lost with the database is not shown to a client that joins', async (t) => {
    const { worker, writer, collect } = await scene(t)
    await append(worker, 'o', 'r', asked(1, 1))
    const run = writer.run({ org: 'o', runId: 'r', epoch: 1, state: stateAt(1, 1) })
    run.onText('lost ')
    const early = collect()
    await until(() => early.collected.texts.length === 1, 'the beginning')
    // As a crash of PostgreSQL empties an unlogged table.
    await worker.query('DELETE FROM waybill.texts')
    run.onText('kept')
    await until(() => early.collected.texts[0]?.text === 'lost kept', 'the rest')
    const late = collect(1)
    await new Promise((resolve) => setTimeout(resolve, 50))
    await append(worker, 'o', 'r', answered(2, 1, 'lost kept'), 'over')
    await Promise.all([early.done, late.done])
    assert.deepEqual([late.collected.texts, seqs(late.collected.events)], [[], [2]])
  })

  it('a lost connection is replaced without a gap or a repeat; a database that stays away cuts the stream', async (t) => {
    const { database, worker, server, follow, collect } = await scene(t)
    const { collected, done } = collect()
    for (let seq = 1; seq < 60; seq++) {
      await append(worker, 'o', 'r', hookRan(seq))
      if (seq % 10 === 0)
        await worker.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND usename = current_user AND pid <> pg_backend_pid()`,
        )
    }
    await append(worker, 'o', 'r', hookRan(60), 'over')
    await done
    assert.equal(collected.error, undefined)
    assert.deepEqual(
      seqs(collected.events),
      Array.from({ length: 60 }, (_, index) => index + 1),
    )
    await storeRun(worker, 'o', 'r2')
    const away = await database.open()
    const impatient = new RunFollower(away.engine, { everyMs: EVERY_MS, patienceMs: 50 })
    const cut = new Collected().read(follow(0, 'r2', new AbortController().signal, impatient))
    away.engine.query = (() =>
      Promise.reject(new Error('connect ECONNREFUSED'))) as unknown as typeof server.query
    const { error, ended } = await cut
    assert.deepEqual([(error as { code?: string }).code, ended], ['DATABASE_UNREACHABLE', false])
  })

  it('200 clients of one run cost one query per tick, and none when the last has left', async (t) => {
    const { worker, server, follower, follow } = await scene(t)
    const queries: unknown[][] = []
    countQueries(server, (values) => queries.push(values))
    await append(worker, 'o', 'r', asked(1, 1))
    const stop = new AbortController()
    const all = Array.from({ length: 200 }, () => new Collected())
    const done = all.map((one) => one.read(follow(0, 'r', stop.signal)))
    await until(() => all.every(({ events }) => events.length === 1), 'the first event')
    await until(() => queries.length > 5, 'some ticks')
    queries.length = 0
    let ticks = 0
    for (let seq = 2; seq < 20; seq++) {
      await append(worker, 'o', 'r', hookRan(seq))
      await until(() => all.every(({ events }) => events.length === seq), 'an event')
      ticks++
    }
    // Each query asks for one place only, whatever the number of clients.
    for (const [orgs] of queries) assert.equal((orgs as unknown[]).length, 1)
    // The first event may have come with a query that was already under way.
    assert.ok(queries.length + 1 >= ticks)
    stop.abort()
    await Promise.all(done)
    const before = queries.length
    await new Promise((resolve) => setTimeout(resolve, 10 * EVERY_MS))
    follower.notify('o', 'r')
    await new Promise((resolve) => setTimeout(resolve, 5 * EVERY_MS))
    assert.ok(queries.length - before <= 1, 'no queries without clients')
  })

  it('a run of this process is asked for at once when it has changed', async (t) => {
    const { database, worker } = await scene(t)
    const follower = new RunFollower((await database.open()).engine, { everyMs: 3_600_000 })
    const stop = new AbortController()
    const collected = new Collected()
    const done = collected.read(
      follower.follow({ org: 'o', runId: 'r', after: 0, signal: stop.signal, view: async () => VIEW }),
    )
    await new Promise((resolve) => setTimeout(resolve, 50))
    for (let seq = 1; seq < 20; seq++) {
      await append(worker, 'o', 'r', hookRan(seq))
      follower.notify('o', 'r')
      await until(() => collected.events.length === seq, 'the event')
    }
    stop.abort()
    await done
    assert.equal(collected.ended, false)
  })

  it('a slow client delays no other client, and gets everything in the end', async (t) => {
    const { worker, collect, follow } = await scene(t)
    const stalled = follow()
    await append(worker, 'o', 'r', hookRan(1))
    assert.equal((await stalled.next()).value?.type, 'event')
    const { collected, done } = collect()
    for (let seq = 2; seq < 500; seq++) await append(worker, 'o', 'r', hookRan(seq))
    await append(worker, 'o', 'r', hookRan(500), 'over')
    await done
    assert.equal(collected.events.length, 500)
    const rest = await new Collected().read(stalled)
    assert.deepEqual([rest.events.length, rest.ended], [499, true])
  })
})

/** The stored texts: `[run, seq, n, text]`. */
async function storedTexts(engine: pg.Pool): Promise<readonly unknown[]> {
  return (await engine.query('SELECT run_id, seq, n, text FROM waybill.texts ORDER BY 1, 2, 3')).rows
}

function countQueries(pool: pg.Pool, seen: (values: unknown[]) => void): void {
  const query = pool.query.bind(pool) as (...args: unknown[]) => unknown
  pool.query = ((...args: unknown[]) => {
    // Not the statement that flushes, which asks for nothing.
    if (Array.isArray(args[1])) seen(args[1])
    return query(...args)
  }) as unknown as typeof pool.query
}
