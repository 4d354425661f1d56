import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { migrate, SCHEMA_VERSION, schemaVersion } from '../../../src/adapters/records/sqlite/schema.ts'
import { folderOf } from './records-fixture.ts'

test('a database that another process is creating is not reported as that of another program', (t) => {
  const file = join(folderOf(t), 'waybill.db')
  const maker = new DatabaseSync(file)
  const reader = new DatabaseSync(file)
  t.after(() => {
    maker.close()
    reader.close()
  })
  maker.exec('PRAGMA journal_mode = WAL')
  // The other process commits between two reads of this one.
  const prepare = reader.prepare.bind(reader)
  let made = false
  reader.prepare = (sql) => {
    if (!made && sql.includes('application_id')) {
      made = true
      migrate(maker, file)
    }
    return prepare(sql)
  }
  assert.equal(schemaVersion(reader, file), 0)
  assert.ok(made)
  assert.equal(schemaVersion(reader, file), SCHEMA_VERSION)
})
