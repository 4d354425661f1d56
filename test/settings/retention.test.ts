import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retentionOf } from '../../src/settings/retention.ts'

test('an organisation keeps data as long as all do, except for the times of its own', () => {
  const retention = { runs_days: 90, memory_days: 30 }
  const organisations = { acme: { retention: { runs_days: 7 } }, globex: { allow_hosts: [] } }
  const table = [
    [{}, 'acme', {}],
    [{ retention }, 'acme', retention],
    [{ organisations }, 'acme', { runs_days: 7 }],
    [{ retention, organisations }, 'acme', { runs_days: 7, memory_days: 30 }],
    [{ retention, organisations }, 'globex', retention],
    [{ retention, organisations }, 'toString', retention],
  ] as const
  for (const [config, org, expected] of table) assert.deepEqual(retentionOf(config, org), expected)
})
