import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { checkDatabase } from '../../src/platform/database/check.ts'
import { probeSeparation } from '../../src/platform/database/probe-separation.ts'
import { TABLES } from '../../src/platform/features.ts'
import { onServer, testDatabase } from './postgres.ts'

/** What others may do to a database, and what the probe then reports. */
const BROKEN: readonly (readonly [change: string, breach: RegExp])[] = [
  ['ALTER TABLE waybill.grants DISABLE ROW LEVEL SECURITY', /add rows .* waybill\.grants/],
  ['CREATE POLICY x ON waybill.items FOR SELECT TO waybill_app USING (true)', /read rows .* waybill\.items/],
  [
    `CREATE POLICY x ON waybill.items FOR SELECT TO waybill_app USING (current_setting('waybill.org') = '')`,
    /read rows without naming itself .* waybill\.items/,
  ],
  [
    'CREATE POLICY x ON waybill.events FOR INSERT TO waybill_app WITH CHECK (true)',
    /add rows .* waybill\.events/,
  ],
  ['ALTER POLICY organisation ON waybill.seeds WITH CHECK (true)', /add rows .* waybill\.seeds/],
  [
    'CREATE POLICY x ON waybill.seeds FOR UPDATE TO waybill_app USING (false) WITH CHECK (true)',
    /give rows to the name of another one .* waybill\.seeds/,
  ],
  [
    `CREATE POLICY x ON waybill.seeds FOR DELETE TO waybill_app USING (true);
     CREATE POLICY y ON waybill.seeds FOR SELECT TO waybill_app USING (org <> '')`,
    /read rows .* waybill\.seeds/,
  ],
  [`ALTER POLICY organisation ON waybill.batches USING (org <> '')`, /read rows .* waybill\.batches/],
]

describe('the probe of two organisations', () => {
  it('finds them separated, in nearly all tables with rows of their own, and leaves nothing behind', async (t) => {
    const { app, engine } = (await testDatabase(t)).database
    const [{ tables, written }] = await Promise.all([probeSeparation(app), probeSeparation(app)])
    const { rows } = await engine.query<{ n: number }>(
      `SELECT count(*) AS n FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
       WHERE c.relnamespace = 'waybill'::regnamespace AND c.relkind = 'r' AND a.attname = 'org'`,
    )
    assert.equal(tables, rows[0]?.n)
    assert.ok(written >= tables * 0.8, `${written} of ${tables}`)
    const left = await engine.query(`SELECT FROM waybill.organisations WHERE org LIKE 'probe-%'`)
    assert.equal(left.rowCount, 0)
  })

  for (const [change, breach] of BROKEN)
    it(`notices: ${change.replaceAll(/\s+/g, ' ')}`, async (t) => {
      const { database, ownerUrl } = await testDatabase(t)
      await onServer(ownerUrl, change)
      await assert.rejects(probeSeparation(database.app), (error: { code?: string; message: string }) => {
        assert.equal(error.code, 'ORGANISATIONS_NOT_SEPARATED')
        assert.match(error.message, breach)
        return true
      })
    })

  it('waybill doctor reports it', async (t) => {
    const { ownerUrl } = await testDatabase(t)
    const roles = async () =>
      (await checkDatabase({ steps: TABLES.steps, ownerUrl })).find(({ check }) => check === 'database roles')
    assert.match((await roles())?.detail ?? '', /two probe organisations could not reach one another/)
  })
})
