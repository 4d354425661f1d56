import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { isRunning } from '../../src/platform/database/embedded/postmaster.ts'
import {
  type EmbeddedEvent,
  type EmbeddedPostgres,
  startEmbedded,
} from '../../src/platform/database/embedded/start-embedded.ts'
import { embeddedSite, isRoot, query, temporaryFolder } from './embedded-site.ts'

/** A stopped server, which the tests copy: creating one takes longer than starting one. */
const outer = temporaryFolder()
const made = join(outer, 'postgres')

before(async () => {
  const server = await startEmbedded(made, { settings: { fsync: 'off' } })
  await server.stop()
})
after(() => rmSync(outer, { recursive: true, force: true }))

const portOf = ({ url }: { readonly url: string }) => Number(new URL(url).port)

describe('the embedded PostgreSQL', { timeout: 110_000 }, () => {
  it('starts in a folder that does not exist, only for the owner of the password', async (t) => {
    const site = embeddedSite(t)
    const server = await site.start()
    assert.equal(await query(server.url, 'SELECT current_user'), 'waybill_owner')
    const wrong = new URL(server.url)
    wrong.password = 'wrong'
    await assert.rejects(query(wrong.href, 'SELECT 1'), /password authentication failed/)
    assert.equal(await query(server.url, 'SHOW listen_addresses'), '127.0.0.1')
    for (const [path, mode] of [
      ['.', 0o700],
      ['data', 0o700],
      ['password', 0o600],
      ['postgres.log', 0o600],
    ] as const)
      assert.equal(statSync(join(site.folder, path)).mode & 0o777, mode, path)
    const password = readFileSync(join(site.folder, 'password'), 'utf8')
    assert.ok(password.length >= 32)
    assert.equal(readFileSync(join(site.folder, 'postgres.log'), 'utf8').includes(password), false)
    assert.equal(readFileSync(`/proc/${server.pid}/cmdline`, 'utf8').includes(password), false)
  })

  it('keeps its data and its port when it is stopped and started again', async (t) => {
    const site = embeddedSite(t, made)
    const first = await site.start()
    await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS n')
    await first.stop()
    await assert.rejects(query(first.url, 'SELECT 1'), { code: 'ECONNREFUSED' })
    const second = await site.start()
    assert.equal(second.url, first.url)
    assert.equal(await query(second.url, 'SELECT n FROM kept'), 42)
  })

  it('takes another port if another program uses the last one', async (t) => {
    const site = embeddedSite(t, made)
    const first = await site.start()
    await first.stop()
    const other = createServer().listen(portOf(first), '127.0.0.1')
    t.after(() => other.close())
    await once(other, 'listening')
    const second = await site.start()
    assert.notEqual(portOf(second), portOf(first))
    assert.equal(await query(second.url, 'SELECT 1'), 1)
  })

  it('adopts the server of a process that was killed, and can stop it', async (t) => {
    const site = embeddedSite(t, made)
    const { child, pid, url } = await site.process()
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    const server = await site.start()
    assert.deepEqual({ pid: server.pid, url: server.url }, { pid, url })
    const { rows } = await client.query('SELECT 1 AS one')
    assert.deepEqual(rows, [{ one: 1 }], 'clients keep their connections')
    await client.end()
    await server.stop()
    assert.equal(isRunning(pid, site.data), false)
  })

  it('starts if the process file names a dead process, or a live one with the same number', async (t) => {
    const site = embeddedSite(t, made)
    const first = await site.start()
    const pidFile = join(site.data, 'postmaster.pid')
    const lines = readFileSync(pidFile, 'utf8').split('\n')
    await first.stop()
    const other = await embeddedSite(t, made).start()
    for (const [pid, what] of [
      [first.pid, 'has ended'],
      [process.ppid, 'is another program'],
      [other.pid, 'is the PostgreSQL of another folder'],
    ] as const) {
      writeFileSync(pidFile, [pid, ...lines.slice(1)].join('\n'))
      const server = await site.start()
      assert.notEqual(server.pid, pid, what)
      assert.equal(await query(server.url, 'SELECT 1'), 1, what)
      await server.stop()
    }
    assert.equal(await query(other.url, 'SELECT 1'), 1)
  })

  it('is started once by processes that start at once, and stopped by the last one', async (t) => {
    const site = embeddedSite(t)
    const processes = await Promise.all([site.process(), site.process(), site.process()])
    assert.deepEqual(new Set(processes.map(({ pid }) => pid)).size, 1)
    const [first, second, third] = processes
    assert.ok(first !== undefined && second !== undefined && third !== undefined)
    for (const { child } of [first, second]) {
      const ended = once(child, 'exit')
      child.stdin?.end()
      await ended
      assert.equal(await query(third.url, 'SELECT 1'), 1)
    }
    const ended = once(third.child, 'exit')
    third.child.stdin?.end()
    await ended
    assert.equal(isRunning(third.pid, site.data), false)
  })

  it('is restarted on its port when it is killed, and clients connect again', async (t) => {
    const site = embeddedSite(t, made)
    const { promise, resolve } = Promise.withResolvers<void>()
    const events: EmbeddedEvent[] = []
    const server: EmbeddedPostgres = await site.start({
      onEvent(event) {
        events.push(event)
        if (event.kind === 'restarted') resolve()
      },
    })
    const other = await site.start()
    const { url, pid } = server
    const pool = new pg.Pool({ connectionString: url })
    pool.on('error', () => {})
    await pool.query('CREATE TABLE kept AS SELECT 42 AS n')
    process.kill(pid, 'SIGKILL')
    await promise
    assert.deepEqual(
      events.filter(({ kind }) => kind !== 'failed').map(({ kind }) => kind),
      ['died', 'restarted'],
    )
    assert.notEqual(server.pid, pid)
    assert.equal(server.url, url)
    // A connection of before is lost at its first use.
    const { rows } = await pool.query('SELECT n FROM kept').catch(() => pool.query('SELECT n FROM kept'))
    assert.deepEqual(rows, [{ n: 42 }])
    await pool.end()
    await server.stop()
    assert.equal(await query(other.url, 'SELECT 1'), 1, 'another user of the server keeps it')
  })

  it('reports a restart that fails, and tries again', async (t) => {
    const site = embeddedSite(t, made)
    const failed = Promise.withResolvers<Error>()
    const restarted = Promise.withResolvers<void>()
    const server = await site.start({
      onEvent(event) {
        if (event.kind === 'failed') failed.resolve(event.error)
        if (event.kind === 'restarted') restarted.resolve()
      },
    })
    const version = join(site.data, 'PG_VERSION')
    writeFileSync(version, '17\n')
    process.kill(server.pid, 'SIGKILL')
    assert.match(
      (await failed.promise).message,
      /PostgreSQL 17, and the installed package contains PostgreSQL 18/,
    )
    writeFileSync(version, '18\n')
    await restarted.promise
    assert.equal(await query(server.url, 'SELECT 1'), 1)
  })

  it('stops once, however often it is asked, also while it is being restarted', async (t) => {
    const site = embeddedSite(t, made)
    const server = await site.start()
    await Promise.all([server.stop(), server.stop()])
    await server.stop()
    const again = await site.start()
    process.kill(again.pid, 'SIGKILL')
    await again.stop()
    assert.equal(isRunning(again.pid, site.data), false)
    await assert.rejects(query(again.url, 'SELECT 1'), { code: 'ECONNREFUSED' })
  })

  if (isRoot) {
    it('runs as an unprivileged user for root, also on data that belong to root', async (t) => {
      const site = embeddedSite(t, made)
      assert.equal(statSync(site.data).uid, 0)
      const server = await site.start()
      assert.match(readFileSync(`/proc/${server.pid}/status`, 'utf8'), /^Uid:\s+65534\s/m)
      assert.equal(await query(server.url, 'SELECT 1'), 1)
    })
  }
})
