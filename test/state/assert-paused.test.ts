import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STATE_STATUSES } from '../../src/spec/aaif/vocabulary.ts'
import { assertPaused } from '../../src/state/assert-paused.ts'

test('AAIF-8.2-01: only a run that was paused, or is being moved, is taken over', () => {
  const refused = STATE_STATUSES.filter((status) => {
    try {
      assertPaused({ status })
      return false
    } catch (error) {
      assert.equal((error as { code?: string }).code, 'STATE_NOT_PAUSED')
      return true
    }
  })
  // One that has ended is refused by `restoreState`.
  assert.deepEqual(refused, ['running', 'awaiting_approval', 'awaiting_tool_result'])
})
