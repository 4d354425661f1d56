import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, it, type TestContext } from 'node:test'
import { openDatabase, prepareDatabase } from '../../../src/platform/database/open-database.ts'
import { TABLES } from '../../../src/platform/features.ts'
import { RunFollower } from '../../../src/platform/streams/run-follower.ts'
import { answered, Driven, ended, newRun, started } from '../../../src/testing/contracts/records-fixture.ts'
import { embeddedSite } from '../embedded-site.ts'
import { VIEW } from '../streams/stored-run.ts'
import { addOrganisations, addWorker, asRequest, asWorker } from './organisation.ts'

/** A server that writes to disk only what it must, and loses the rest when it is killed. */
async function place(t: TestContext) {
  let restarted = Promise.withResolvers<void>()
  const site = embeddedSite(t)
  const server = await site.start({
    settings: { wal_writer_delay: '10s' },
    onEvent: ({ kind }) => kind === 'restarted' && restarted.resolve(),
  })
  const database = await openDatabase(await prepareDatabase(server.url, TABLES.steps))
  t.after(() => database.close())
  await addOrganisations(database, 'a')
  const worker = await addWorker(database)
  const { runs } = asWorker(t, database, 'a', worker)
  /** Stores a run with two events that are committed and not flushed. */
  const begun = async (id: string, more: object = {}) => {
    const run = new Driven(await runs.create(newRun(id, more), { durable: true }))
    await run.append(started(id))
    await run.append({ type: 'run.resumed', by: 'test' })
    return run
  }
  const crash = async () => {
    restarted = Promise.withResolvers<void>()
    const client = await database.engine.connect()
    const lost = once(client, 'error')
    process.kill(server.pid, 'SIGKILL')
    await lost
    client.release(true)
    await restarted.promise
  }
  const kept = async (id: string) => (await runs.listed(id)).seq
  return { database, begun, crash, kept, runs }
}

describe('what a client is shown survives a crash of the database', { timeout: 120_000 }, () => {
  it('an event that no client has read may be lost, but none that was shown, and no end or question', async (t) => {
    const { database, begun, crash, kept, runs } = await place(t)
    await begun('unread')
    await crash()
    assert.equal(await kept('unread'), 0, 'otherwise this test proves nothing')

    const requests = asRequest(database, 'a').runs
    const follower = new RunFollower(database.engine, { everyMs: 10 })
    t.after(() => follower.close())
    const DOORS: Readonly<Record<string, (id: string) => Promise<number>>> = {
      'a stream': async (runId) => {
        const { signal } = new AbortController()
        for await (const item of follower.follow({
          org: 'a',
          runId,
          after: 0,
          signal,
          view: async () => VIEW,
        }))
          if (item.type === 'event' && item.event.seq === 2) return 2
        return 0
      },
      'a page of events': async (id) => (await requests.events(id)).length,
      'a run': async (id) => (await requests.read(id)).state.seq,
      'a record': async (id) => (await Array.fromAsync(requests.parts(id))).flat().length,
    }
    for (const [door, show] of Object.entries(DOORS)) {
      await begun(door)
      assert.equal(await show(door), 2, door)
      await crash()
      assert.equal(await kept(door), 2, door)
    }

    // Ends and questions are flushed by their own append, with all before them.
    await (await begun('ended')).append(...ended('completed'))
    await (await begun('asking')).append(...answered('asking'))
    const paused = await begun('paused')
    await paused.append({ type: 'run.paused', by: 'ann' })
    await crash()
    for (const id of ['ended', 'asking', 'paused'])
      assert.deepEqual([await kept(id), (await runs.events(id)).length], [3, 3], id)
  })
})
