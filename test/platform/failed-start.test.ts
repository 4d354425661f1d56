import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { openPlatform, type PlatformOptions } from '../../src/compose/open-platform.ts'
import { isRunning } from '../../src/platform/database/embedded/postmaster.ts'
import { Place } from '../cli/fixture.ts'
import { startProcess } from '../started-process.ts'
import { endWithProcess } from './end-with-process.ts'
import { testDatabase } from './postgres.ts'

/** Starts `waybill up` with a database of its own, and waits until it has ended. */
async function failedUp(place: Place, ...argv: readonly string[]) {
  const data = join(place.folder, 'data')
  // The server of root runs as another user.
  chmodSync(place.folder, 0o755)
  endWithProcess(join(data, 'postgres/data'), data)
  const up = startProcess(['up', '--json', '--data', data, '--config', 'config.yaml', ...argv], {
    cwd: place.folder,
    env: place.env,
  })
  const code = await up.ended
  const { error } = JSON.parse(up.out())
  return {
    code,
    error,
    said: up
      .err()
      .split('\n')
      .filter((line) => line !== ''),
    postgres: join(data, 'postgres'),
  }
}

function assertNoServer(postgres: string): void {
  const file = join(postgres, 'data/postmaster.pid')
  const pid = existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0
  assert.ok(!isRunning(pid, join(postgres, 'data')), `the server ${pid} still runs`)
}

describe('a platform that cannot be started', { timeout: 120_000 }, () => {
  test('does not start its database if the configuration names a schema or module that is not usable', async (t) => {
    const place = new Place(t)
    place.write('no-schema.json', '{"type": 4}')
    place.write('bad.mjs', 'export const tools = 4\n')
    for (const [config, code, message] of [
      [
        'schemas: {"https://a.example/s": nosuch.json}',
        'SCHEMA_FILE_INVALID',
        /cannot be read.*no such file/,
      ],
      ['schemas: {"https://a.example/s": no-schema.json}', 'SCHEMA_FILE_INVALID', /not a usable JSON Schema/],
      ['functions: {ours: {module: bad.mjs, organisations: all}}', 'TOOLS_MODULE_INVALID', /tools/],
    ] as const) {
      place.write('config.yaml', `${config}\n`)
      const failed = await failedUp(place, '--port', '0')
      assert.deepEqual([failed.code, failed.error.code], [2, code], JSON.stringify(failed.error))
      assert.match(failed.error.message, message)
      assert.ok(failed.error.hint)
      assert.ok(!existsSync(failed.postgres), config)
    }
  })

  test('stops its database if a later part cannot be opened, and if its port is in use', async (t) => {
    const place = new Place(t)
    place.write('config.yaml', '{}\n')
    // The first start stores the token of the admin in this file, after the worker has been started.
    mkdirSync(join(place.folder, 'data/admin-token'), { recursive: true })
    const kept = await failedUp(place, '--port', '0')
    assert.notEqual(kept.code, 0)
    assert.match(JSON.stringify(kept.error), /admin-token/)
    assert.deepEqual(kept.said, [])
    assert.ok(existsSync(join(kept.postgres, 'data')))
    assertNoServer(kept.postgres)
    rmSync(join(place.folder, 'data/admin-token'), { recursive: true })
    const other = createServer().listen(0, '127.0.0.1')
    t.after(() => other.close())
    await once(other, 'listening')
    const { port } = other.address() as { port: number }
    const taken = await failedUp(place, '--port', String(port))
    assert.deepEqual([taken.code, taken.error.code], [2, 'PORT_UNAVAILABLE'])
    assertNoServer(taken.postgres)
  })

  for (const works of [true, false])
    test(`closes its connections${works ? ' and its worker' : ''} if its last part fails`, async (t) => {
      const { ownerUrl, database } = await testDatabase(t)
      const before = await connections(database.engine)
      await assert.rejects(
        openPlatform({
          ...optionsOf(t),
          databaseUrl: ownerUrl,
          keepToken: () => {
            throw new Error('the token cannot be kept')
          },
          ...(works && { worker: {} }),
        }),
        /the token cannot be kept/,
      )
      // The server notices a closed connection a little later.
      while ((await connections(database.engine)).length > before.length) await sleep(20)
      const { rows } = await database.engine.query('SELECT worker FROM waybill.workers')
      assert.deepEqual(rows, [])
    })
})

function optionsOf(t: TestContext): PlatformOptions {
  const home = mkdtempSync(join(tmpdir(), 'waybill-start-'))
  t.after(() => rmSync(home, { recursive: true, force: true }))
  writeFileSync(join(home, 'config.yaml'), '{}')
  return { home, data: home, env: {}, version: '9.9.9', log: () => {} }
}

/** The connections to a database. */
async function connections(pool: pg.Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT application_name AS name FROM pg_stat_activity WHERE datname = current_database() ORDER BY name`,
  )
  return rows.map(({ name }) => name)
}
