import assert from 'node:assert/strict'
import { tmpdir } from 'node:os'
import { describe, it } from 'node:test'
import { type Check, checkDatabase } from '../../src/platform/database/check.ts'
import { TABLES } from '../../src/platform/features.ts'
import { onServer, testDatabase } from './postgres.ts'

const failures = (checks: readonly Check[]) => checks.filter(({ ok }) => !ok).map(({ check }) => check)

describe('the checks of the database', () => {
  it('pass on a prepared one, except for the durability that the server of the tests lacks', async (t) => {
    const { ownerUrl } = await testDatabase(t)
    const checks = await checkDatabase({ steps: TABLES.steps, ownerUrl, data: tmpdir() })
    assert.deepEqual(
      checks.map(({ check }) => check),
      [
        'database',
        'database version',
        'database migrations',
        'database roles',
        'database clock',
        'database durability',
        'backup',
        'database connections',
        'database disk',
      ],
    )
    assert.deepEqual(failures(checks), ['database durability'])
    assert.match(checks[5]?.detail ?? '', /^fsync: off/)
    assert.match(checks[5]?.fix ?? '', /fsync = on/)
    for (const { ok, fix } of checks) assert.equal(fix === undefined, ok)
  })

  it('name a database that does not answer, without its password', async () => {
    const checks = await checkDatabase({
      steps: TABLES.steps,
      ownerUrl: 'postgres://owner:hunter2@127.0.0.1:1/none',
    })
    assert.deepEqual(failures(checks), ['database'])
    assert.equal(checks.length, 1)
    assert.doesNotMatch(JSON.stringify(checks), /hunter2/)
  })

  it('name missing migrations and roles', async (t) => {
    const { ownerUrl } = await testDatabase(t)
    await onServer(ownerUrl, 'DROP SCHEMA waybill CASCADE')
    const checks = await checkDatabase({ steps: TABLES.steps, ownerUrl })
    assert.deepEqual(failures(checks), ['database migrations', 'database durability'])
    assert.match(checks[2]?.detail ?? '', /1 \(first\)/)
  })

  it('name a role of requests that sees all organisations, and too few connections', async (t) => {
    const { ownerUrl, urls } = await testDatabase(t)
    const checks = await checkDatabase({
      steps: TABLES.steps,
      ownerUrl,
      given: { app: ownerUrl, engine: urls.engine },
      connections: 500,
    })
    assert.deepEqual(failures(checks), ['database roles', 'database durability', 'database connections'])
    assert.match(checks[3]?.detail ?? '', /owner of a table/)
    assert.match(checks[7]?.fix ?? '', /max_connections .* 503/)
  })
})
