import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joined, prepared, sql, written } from '../../src/platform/database/sql.ts'

test('a statement numbers its parameters, also those of statements in it', () => {
  const columns = sql`id, name`
  const where = joined([sql`org = ${'a'}`, sql`n > ${2}`], ' AND ')
  const { text, values } = sql`SELECT ${columns} FROM ${written('waybill.t')} WHERE ${where} LIMIT ${3}`
  assert.equal(text, 'SELECT id, name FROM waybill.t WHERE org = $1 AND n > $2 LIMIT $3')
  assert.deepEqual(values, ['a', 2, 3])
})

test('a value is never part of the text, whatever it is', () => {
  const evil = "'; DROP TABLE t; --"
  for (const value of [evil, { text: evil, values: [] }, [evil], null, undefined]) {
    const statement = sql`SELECT ${value}`
    assert.equal(statement.text, 'SELECT $1')
    assert.deepEqual(statement.values, [value])
  }
})

test('the driver gets text and values as own members', () => {
  const one = sql`SELECT ${1}`
  assert.deepEqual({ ...one }, { text: 'SELECT $1', values: [1] })
  assert.deepEqual(prepared('one', one), { name: 'one', text: 'SELECT $1', values: [1] })
  assert.equal(joined([], ' AND ').text, '')
})
