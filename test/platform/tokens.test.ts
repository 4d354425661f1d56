import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type pg from 'pg'
import { createAdminToken } from '../../src/platform/people/first-admin.ts'
import { principalOf } from '../../src/platform/people/tokens.ts'
import { testDatabase } from './postgres.ts'

const ADMIN = { organisation: 'default', user: 'admin', roles: ['admin'], kind: 'person' }

async function principal(engine: pg.Pool, value: string) {
  const found = await principalOf(engine, value)
  if (found === null) return null
  const { token, ...who } = found
  assert.ok(token)
  return who
}

describe('the admin token', () => {
  it('is created once by processes that start at once, and stored as a hash only', async (t) => {
    const { database } = await testDatabase(t)
    const tokens: string[] = []
    const keep = (token: string) => {
      tokens.push(token)
    }
    const created = await Promise.all([1, 2, 3, 4].map(() => createAdminToken(database.engine, keep)))
    assert.deepEqual(created, [true, true, true, true])
    assert.equal(tokens.length, 1)
    const [token = ''] = tokens
    assert.match(token, /^wbt_[\w-]{43}$/)
    assert.deepEqual(await principal(database.engine, token), ADMIN)
    const { rows } = await database.engine.query('SELECT t::text AS row FROM waybill.tokens AS t')
    assert.equal(rows.length, 1)
    assert.equal(rows[0].row.includes(token.slice(4)), false)
  })

  it('is not created if it could not be shown, and the organisation is', async (t) => {
    const { database } = await testDatabase(t)
    assert.equal(await createAdminToken(database.engine), false)
    const failing = async () => {
      throw new Error('the disk is full')
    }
    await assert.rejects(createAdminToken(database.engine, failing), /the disk is full/)
    const { rows } = await database.engine.query('SELECT 1 FROM waybill.tokens')
    assert.equal(rows.length, 0)
    assert.equal(await createAdminToken(database.engine, () => {}), true)
    assert.equal(await createAdminToken(database.engine), true)
  })
})

describe('a token', () => {
  const table: readonly (readonly [string, string, boolean])[] = [
    ['is valid until it expires', `expires_at = now() + interval '1 minute'`, true],
    ['is not valid after it has expired', `expires_at = now() - interval '1 millisecond'`, false],
    ['is not valid after it was revoked', 'revoked_at = now()', false],
    ['has the role and the user of its row', `roles = '{viewer}', user_id = 'ann'`, true],
  ]
  for (const [rule, change, valid] of table)
    it(rule, async (t) => {
      const { database } = await testDatabase(t)
      let token = ''
      await createAdminToken(database.engine, (created) => {
        token = created
      })
      await database.engine.query(
        `INSERT INTO waybill.members (org, user_id, kind, name, roles, created_by)
         VALUES ('default', 'ann', 'person', 'Ann', '{viewer}', 'a test')`,
      )
      await database.engine.query(`UPDATE waybill.tokens SET ${change}`)
      const found = await principal(database.engine, token)
      if (!valid) assert.equal(found, null)
      else if (change.includes('viewer'))
        assert.deepEqual(found, { ...ADMIN, user: 'ann', roles: ['viewer'] })
      else assert.deepEqual(found, ADMIN)
    })

  it('that is unknown, without its prefix or too long has no principal', async (t) => {
    const { database } = await testDatabase(t)
    let token = ''
    await createAdminToken(database.engine, (created) => {
      token = created
    })
    for (const wrong of [
      '',
      'wbt_',
      token.slice(4),
      `${token}x`,
      token.toUpperCase(),
      `wbt_${'x'.repeat(300)}`,
    ])
      assert.equal(await principalOf(database.engine, wrong), null)
  })
})
