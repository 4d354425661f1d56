import assert from 'node:assert/strict'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { openPool } from '../../../src/platform/database/open-database.ts'
import { writeOnce } from '../../../src/platform/records/store.ts'
import { embeddedSite, query } from '../embedded-site.ts'

describe('a write during which the server crashes', () => {
  for (const [isUsedAgain, title] of [
    [true, 'is not believed to be stored because a later transaction has got its number'],
    [false, 'is repeated if no transaction has its number any more'],
  ] as const)
    it(title, async (t) => {
      const site = embeddedSite(t)
      const restarted = Promise.withResolvers<void>()
      const server = await site.start({
        // The numbers of transactions that are not committed yet are not on disk when the server is killed.
        settings: { wal_writer_delay: '10s' },
        onEvent: ({ kind }) => kind === 'restarted' && restarted.resolve(),
      })
      await query(server.url, 'CREATE TABLE notes (text text)')
      const pool = openPool(server.url, 'test', 2)
      const crash = async () => {
        const client = await pool.connect()
        const lost = once(client, 'error')
        process.kill(server.pid, 'SIGKILL')
        await lost
        client.release(true)
        await restarted.promise
      }
      let attempts = 0
      let number = 0
      const status = () => query(server.url, `SELECT pg_xact_status('${number}'::xid8)`)
      const written = writeOnce(pool, 'a', 2_000, async (sql) => {
        const { rows } = await sql.query(
          `INSERT INTO notes VALUES ('ours') RETURNING pg_current_xact_id()::text AS xid`,
        )
        if (attempts++ > 0) return
        number = Number(rows[0]?.xid)
        await crash()
        if (!isUsedAgain) await assert.rejects(status(), { code: '22023' })
        for (let other = 0; isUsedAgain && other < number; )
          other = Number(
            await query(
              server.url,
              `INSERT INTO notes VALUES ('other') RETURNING pg_current_xact_id()::text`,
            ),
          )
      })
      if (isUsedAgain) {
        await assert.rejects(written, {
          code: 'DATABASE_UNREACHABLE',
          message: /not known whether the data is stored/,
        })
        assert.equal(await status(), 'committed')
      } else await written
      await pool.end()
      const stored = await query(server.url, `SELECT count(*)::int FROM notes WHERE text = 'ours'`)
      assert.deepEqual([attempts, stored], isUsedAgain ? [1, 0] : [2, 1])
    })
})
