import assert from 'node:assert/strict'
import type { SessionsParts } from '../../src/platform/sessions/tenant-sessions.ts'

/** Runs that a session begins in the way of a test, and that are not used otherwise. */
export function begunRuns(begin: SessionsParts['runs']['begin']): SessionsParts['runs'] {
  const notUsed = () => assert.fail('not used')
  return { begin, reached: notUsed, webhookOf: notUsed, nameWebhook: notUsed }
}
