import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  drive,
  newRun,
  QUESTION,
  refused,
  settles,
  slot,
  started,
} from '../../../src/testing/contracts/records-fixture.ts'
import { folderOf, openIn, TIMES } from './records-fixture.ts'
import { startWorker } from './worker-process.ts'

const OPENERS = Math.min(20, 4 * TIMES)
const RACES = 5 * TIMES
const KILLS = 2 * TIMES

function codeOf(outcome: PromiseSettledResult<unknown>): string {
  return outcome.status === 'fulfilled' ? 'ok' : outcome.reason.code
}

describe('several processes and one database', () => {
  test(`${OPENERS} processes that open a new home concurrently all succeed, and it is private to its owner`, async (t) => {
    const home = join(folderOf(t), 'deep/home')
    const workers = Array.from({ length: OPENERS }, () => startWorker(t, home))
    await Promise.all(workers.map((worker, n) => worker.tell({ do: 'create', run: `r${n}` })))
    assert.equal(await workers[0]?.tell({ do: 'list' }), OPENERS)
    for (const file of readdirSync(home, { recursive: true })) {
      const { mode } = statSync(join(home, String(file)))
      assert.equal(mode & 0o077, 0, `${file} ${mode.toString(8)}`)
    }
    assert.equal(statSync(home).mode & 0o077, 0)
    await Promise.all(workers.map((worker) => worker.tell({ do: 'close' })))
    assert.deepEqual(readdirSync(join(home, 'locks')), [])
  })

  test(`of two processes that open a run concurrently one succeeds, ${RACES} times`, async (t) => {
    const home = folderOf(t)
    const workers = [startWorker(t, home), startWorker(t, home)]
    const records = openIn(t, home)
    const wins = [0, 0]
    for (let round = 0; round < RACES; round++) {
      const run = `r${round}`
      await (await records.runs.create(newRun(run))).close()
      const at = Date.now() + 5
      const outcomes = await Promise.allSettled(workers.map((worker) => worker.tell({ do: 'open', run, at })))
      assert.deepEqual(outcomes.map(codeOf).sort(), ['RUN_LOCKED', 'ok'], run)
      for (const [n, outcome] of outcomes.entries())
        if (outcome.status === 'fulfilled') wins[n] = (wins[n] ?? 0) + 1
    }
    assert.equal((wins[0] ?? 0) + (wins[1] ?? 0), RACES)
  })

  test(`of two concurrent decisions one is stored, ${RACES} times`, async (t) => {
    const home = folderOf(t)
    const workers = [startWorker(t, home), startWorker(t, home)]
    const records = openIn(t, home)
    for (let round = 0; round < RACES; round++) {
      const run = `r${round}`
      await (await records.runs.create(newRun(run))).close()
      const at = Date.now() + 5
      const answers = await Promise.all(
        workers.map(async (worker, n) => worker.tell({ do: 'decide', run, by: `p${n}`, at })),
      )
      const outcomes = answers as { outcome: string; by?: { by: string } }[]
      assert.deepEqual(outcomes.map(({ outcome }) => outcome).sort(), ['kept', 'taken'])
      const winner = outcomes[0]?.outcome === 'kept' ? 'p0' : 'p1'
      assert.equal(outcomes.find(({ outcome }) => outcome === 'taken')?.by?.by, winner)
      assert.deepEqual(
        (await records.runs.decisions(run)).map(({ by }) => by),
        [winner],
      )
    }
    assert.equal(QUESTION.asked, 2)
  })

  test(`acknowledged events of a killed process are recorded, in order, ${KILLS} times`, async (t) => {
    const home = folderOf(t)
    const records = openIn(t, home)
    let acknowledged = 0
    for (let round = 0; round < KILLS; round++) {
      const workers = [startWorker(t, home), startWorker(t, home)]
      for (const worker of workers) worker.send({ do: 'load', runs: 30 })
      while (workers.some((worker) => worker.acknowledged.size < 10)) await sleep(5)
      await sleep(Math.random() * 60)
      await Promise.all(workers.map((worker) => worker.kill()))
      for (const worker of workers) {
        for (const [run, seq] of worker.acknowledged) {
          acknowledged += seq
          const events = await records.runs.events(run)
          assert.ok(events.length >= seq, `${run}: ${events.length} of ${seq}`)
          assert.ok(events.every((event, index) => event.seq === index + 1))
          assert.equal((await records.runs.listed(run)).live, false)
        }
      }
    }
    assert.ok(acknowledged > 50 * KILLS, `${acknowledged} events`)
    const [first] = (await records.runs.list({}, { limit: 1 })).items
    assert.ok(first !== undefined)
    await (await records.runs.open(first.run_id)).close()
    // Resources of dead processes are released with the first lease of another.
    assert.equal(readdirSync(join(home, 'locks')).length, 1)
  })

  test('a run and a slot of a process that was killed and not reaped are free', async (t) => {
    const home = folderOf(t)
    const records = openIn(t, home)
    await (await records.runs.create(newRun('r1'))).close()
    // Its parent is a shell that never waits for it.
    const holder = `
      import { openSqliteRecords } from ${JSON.stringify(join(import.meta.dirname, '../../../src/adapters/records/sqlite/open-sqlite-records.ts'))}
      const records = openSqliteRecords(${JSON.stringify(home)}, { signAudit() {} })
      await records.runs.open('r1')
      await records.slots.take({ agent: 'a', agent_name: 'A', limit: 1, run_id: 'r1', above: [] })
      console.log(process.pid)
      setInterval(() => {}, 1000)`
    const shell = spawn(
      'bash',
      ['-c', '"$0" --input-type=module-typescript -e "$1" & exec sleep 1000', process.execPath, holder],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    )
    t.after(() => shell.kill('SIGKILL'))
    const [output] = await once(shell.stdout, 'data')
    const pid = Number(String(output))
    await refused('RUN_LOCKED', () => records.runs.open('r1'))
    await refused('CONCURRENCY_EXCEEDED', () => records.slots.take(slot('a', 'r2'), { wait: false }))
    process.kill(pid, 'SIGKILL')
    // The first thread may be dead while others of the process still hold its files.
    await until(
      () =>
        /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')) &&
        readdirSync(`/proc/${pid}/task`).length === 1,
    )
    assert.equal((await records.runs.open('r1')).epoch, 3)
    await (await records.slots.take(slot('a', 'r2'), { wait: false }))()
  })

  test('a process that was stopped keeps its run and its slot', async (t) => {
    const home = folderOf(t)
    const worker = startWorker(t, home)
    await worker.tell({ do: 'create', run: 'r1' })
    await worker.tell({ do: 'slot', run: 'r1' })
    worker.child.kill('SIGSTOP')
    const records = openIn(t, home)
    const { message } = await refused('RUN_LOCKED', () => records.runs.open('r1'))
    assert.match(message, new RegExp(`process ${worker.child.pid}`))
    const waiting = Promise.resolve(records.slots.take(slot('agent', 'r2')))
    assert.equal(await settles(waiting, 400), false)
    await refused('RUN_LOCKED', () => records.runs.remove('r1'))
    worker.child.kill('SIGCONT')
    assert.equal(await worker.tell({ do: 'tick', run: 'r1' }), 1)
    await worker.kill()
    await (await waiting)()
  })

  test('processes in different PID namespaces are distinguished', async (t) => {
    if (!can('--pid', '--fork', '--mount-proc')) return t.skip('needs the permission to make PID namespaces')
    const home = folderOf(t)
    const inside = () =>
      startWorker(t, home, {
        execPath: 'unshare',
        execArgv: ['--pid', '--fork', '--mount-proc', '--kill-child', process.execPath],
      })
    const [one, two] = [inside(), inside()]
    await one.tell({ do: 'create', run: 'r1' })
    await assert.rejects(two.tell({ do: 'open', run: 'r1' }), { code: 'RUN_LOCKED' })
    const records = openIn(t, home)
    await refused('RUN_LOCKED', () => records.runs.open('r1'))
    assert.equal((await records.runs.listed('r1')).live, true)
    await one.kill()
    await until(async () => !(await records.runs.listed('r1')).live)
    assert.equal(await two.tell({ do: 'open', run: 'r1' }), 2)
    await refused('RUN_LOCKED', () => records.runs.open('r1'))
  })

  test('unregistered lock files are kept while they are new, and removed when they are old', async (t) => {
    const home = folderOf(t)
    mkdirSync(join(home, 'locks'))
    for (const name of ['new', 'old']) writeFileSync(join(home, 'locks', `${name}.lock`), '')
    const long = new Date(Date.now() - 2 * 60 * 60 * 1000)
    utimesSync(join(home, 'locks/old.lock'), long, long)
    chmodSync(home, 0o700)
    const records = openIn(t, home)
    await records.runs.create(newRun('r1'))
    const left = readdirSync(join(home, 'locks'))
    assert.deepEqual([left.includes('new.lock'), left.includes('old.lock'), left.length], [true, false, 2])
  })

  test('two stores of one process are two holders, and closing one does not release the other', async (t) => {
    const home = folderOf(t)
    const [one, two, three] = [openIn(t, home), openIn(t, home), openIn(t, home)]
    await drive(one, newRun('r1'))
    await drive(two, newRun('r2'))
    for (let round = 0; round < 3; round++) {
      for (const id of ['r1', 'r2']) await refused('RUN_LOCKED', () => three.runs.open(id))
      await refused('RUN_LOCKED', () => two.runs.open('r1'))
    }
    const worker = startWorker(t, home)
    await assert.rejects(worker.tell({ do: 'open', run: 'r1' }), { code: 'RUN_LOCKED' })
    await two.close()
    await assert.rejects(worker.tell({ do: 'open', run: 'r1' }), { code: 'RUN_LOCKED' })
    assert.equal(await worker.tell({ do: 'open', run: 'r2' }), 2)
  })

  test('a database that stays busy gives HOME_BUSY after ten seconds, and the write is not stored', async (t) => {
    const home = folderOf(t)
    const records = openIn(t, home)
    const run = await drive(records, newRun('r1'))
    const { DatabaseSync } = await import('node:sqlite')
    const db = new DatabaseSync(join(home, 'waybill.db'))
    // In the short form the ten seconds pass within one.
    const now = performance.now.bind(performance)
    if (TIMES === 1) t.mock.method(performance, 'now', () => 20 * now())
    db.exec('BEGIN IMMEDIATE')
    await refused('HOME_BUSY', () => run.append(started('r1')))
    db.exec('COMMIT')
    db.close()
    assert.equal((await records.runs.listed('r1')).seq, 0)
    await run.append(started('r1'))
  })

  test('while another process keeps the database busy, the event loop continues and the write is retried', async (t) => {
    const home = folderOf(t)
    const records = openIn(t, home)
    const run = await drive(records, newRun('r1'))
    const { DatabaseSync } = await import('node:sqlite')
    const db = new DatabaseSync(join(home, 'waybill.db'))
    db.exec('BEGIN IMMEDIATE')
    let turns = 0
    const ticking = setInterval(() => turns++, 5)
    const appended = run.append(started('r1'), {}, { durable: true })
    assert.equal(await settles(appended, 200), false)
    clearInterval(ticking)
    assert.ok(turns > 10, `${turns} turns`)
    assert.equal((await records.runs.listed('r1')).seq, 0)
    db.exec('COMMIT')
    db.close()
    await appended
    assert.equal((await records.runs.listed('r1')).seq, 1)
  })
})

/** Returns true if this system allows user namespaces. */
function can(...options: readonly string[]): boolean {
  return spawnSync('unshare', [...options, 'true']).status === 0
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    if (await isSo()) return
    await sleep(10)
  }
  assert.fail('it did not come to that in 4 s')
}
