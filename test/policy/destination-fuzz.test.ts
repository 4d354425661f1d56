import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fuzzDestinations } from '../../scripts/fuzz-destinations.ts'

test('8,000 random texts: every host that a mail program or a URL parser reads is found', () => {
  const { faults, mailed, fetched, reached } = fuzzDestinations({ count: 8000, seed: 20261122 })
  assert.deepEqual(faults, [])
  // All parsers read enough of the texts to be significant.
  assert.ok(mailed > 1000 && fetched > 1000 && reached > 500, JSON.stringify({ mailed, fetched, reached }))
})
