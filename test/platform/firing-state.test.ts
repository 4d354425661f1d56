import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Sql } from '../../src/platform/database/tenant.ts'
import { isBehind } from '../../src/platform/triggers/firing-state.ts'
import type { FiringRow } from '../../src/platform/triggers/trigger-rows.ts'

test('a firing cancels the runs that it replaces once: when it comes, not each time that it looks', async () => {
  const sql = {
    query: async (text: string) => ({
      rows: text.startsWith('SELECT') ? [{ open: '0', active: ['r1', 'r2'] }] : [],
    }),
  } as unknown as Sql
  const at = (state: FiringRow['state'], replaces: boolean) =>
    isBehind(sql, { org: 'o', trigger: 't', n: 3, state } as FiringRow, replaces)
  assert.deepEqual((await at('pending', true)).cancels, ['r1', 'r2'])
  assert.deepEqual((await at('queued', true)).cancels, [])
  assert.deepEqual((await at('pending', false)).cancels, [])
  assert.ok((await at('queued', true)).waits)
})
