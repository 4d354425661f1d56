import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inOrganisation } from '../../src/platform/database/tenant.ts'
import { testDatabase } from './postgres.ts'

describe('the database roles of the platform', () => {
  it('requests see the organisation that their transaction names, and no other', async (t) => {
    const { database } = await testDatabase(t)
    await database.engine.query(`INSERT INTO waybill.organisations (org, name) VALUES ('a', 'A'), ('b', 'B')`)
    const seen = await inOrganisation(database.app, 'a', (sql) =>
      sql.query('SELECT org FROM waybill.organisations'),
    )
    assert.deepEqual(seen.rows, [{ org: 'a' }])
    assert.deepEqual((await database.app.query('SELECT org FROM waybill.organisations')).rows, [])
  })
})
