import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { inOrganisation } from '../../../src/platform/database/tenant.ts'
import {
  findQuery,
  listQuery,
  type PlatformFilter,
  type Query,
} from '../../../src/platform/records/list-runs.ts'
import { AT } from '../../../src/testing/contracts/records-fixture.ts'
import { testDatabase } from '../postgres.ts'
import { addOrganisations, asRequest } from './organisation.ts'

const RUNS = 50_000

/** Fills an organisation with runs of 20 agents and 500 users, of which few are unfinished. */
async function filled(t: TestContext) {
  const { database } = await testDatabase(t)
  await addOrganisations(database, 'a', 'b')
  for (const org of ['a', 'b'])
    await database.engine.query(
      `WITH n AS (SELECT n, 'r-' || md5(n::text) AS id FROM generate_series(1, $2::int) AS n), r AS (
         INSERT INTO waybill.runs (org, run_id, v, header, first, imported, created_at, agent_id, user_id, batch, parent, root,
           plans, session)
         SELECT $1, id, 1, '{}', '{}', false, $3::bigint + n / 3, 'agent-' || n % 20, 'user-' || n % 500, 'batch-' || n / 100,
           CASE WHEN n % 4 = 0 THEN 'r-' || md5((n - 1)::text) END, CASE WHEN n % 4 = 0 THEN 'r-' || md5((n - 1)::text) END,
           '{}', 'session-' || n % 5000
         FROM n)
       INSERT INTO waybill.progress (org, run_id, epoch, seq, status, questions, updated_at, phase)
       SELECT $1, id, 1, 1, CASE WHEN n % 500 = 0 THEN 'waiting' ELSE 'completed' END,
         CASE WHEN n % 500 = 0 THEN 1 ELSE 0 END, 0, CASE WHEN n % 500 = 0 THEN 'parked' ELSE 'over' END
       FROM n`,
      [org, RUNS, AT],
    )
  await database.engine.query('SELECT waybill.refresh_statistics()')
  const plan = async ({ text, values }: Query): Promise<string> => {
    const { rows } = await inOrganisation(database.app, 'a', (sql) =>
      sql.query<{ 'QUERY PLAN': string }>(`EXPLAIN (ANALYZE, TIMING OFF, COSTS OFF) ${text}`, values),
    )
    return rows.map((row) => row['QUERY PLAN']).join('\n')
  }
  return { plan, records: asRequest(database, 'a') }
}

/** Most rows that any step of a plan has produced or thrown away. */
function mostRows(plan: string): number {
  const produced = [...plan.matchAll(/rows=(\d+)(?:\.\d+)? loops=(\d+)/g)].map(
    ([, rows, loops]) => Number(rows) * Number(loops),
  )
  const removed = [...plan.matchAll(/Rows Removed by \w+(?: \w+)*: (\d+)/g)].map(([, rows]) => Number(rows))
  return Math.max(...produced, ...removed)
}

describe('lists of many runs are served by indexes', () => {
  const cursor = Buffer.from(`${AT + 8000} r-5`).toString('base64url')
  const lists: readonly (readonly [PlatformFilter, number])[] = [
    [{}, 500],
    [{ since: AT + 16_000 }, 500],
    [{ agent_id: 'agent-7' }, 500],
    [{ user: 'user-7' }, 500],
    [{ batch: 'batch-7' }, 500],
    [{ session: 'session-7' }, 500],
    [{ roots: true }, 500],
    [{ root: `r-c4ca4238a0b923820dcc509a6f75849b` }, 500],
    [{ status: 'waiting' }, 500],
    [{ questions: true }, 500],
    [{ status: 'waiting', agent_id: 'agent-0' }, 500],
    [{ user: 'user-7', agent_id: 'agent-7' }, 500],
  ]

  it('no list or search scans a table', async (t) => {
    const { plan, records } = await filled(t)
    for (const [filter, most] of lists)
      for (const page of [{ limit: 50 }, { limit: 50, cursor }]) {
        const shown = await plan(listQuery('a', filter, page))
        const name = `${JSON.stringify(filter)}${'cursor' in page ? ' after a cursor' : ''}\n${shown}`
        assert.equal(/Seq Scan/.test(shown), false, name)
        assert.ok(mostRows(shown) <= most, name)
      }
    for (const part of ['r-c4ca', 'r-c4ca4238a0b923820dcc509a6f75849b', '6f75849b', 'no such run']) {
      const shown = await plan(findQuery('a', part, 10))
      assert.equal(/Seq Scan/.test(shown), false, `${part}\n${shown}`)
      assert.ok(mostRows(shown) <= 500, `${part}\n${shown}`)
    }
    assert.deepEqual(await records.runs.find('6f75849b', 2), ['r-c4ca4238a0b923820dcc509a6f75849b'])
    assert.equal((await records.runs.list({ questions: true }, { limit: 1000 })).items.length, RUNS / 500)
  })
})
