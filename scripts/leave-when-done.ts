/**
 * Loaded into the process of every test file: ends it when its tests are done though a handle is still open. Not at
 * once: what the tests have to report must first reach the runner.
 */
import { after } from 'node:test'

const GRACE_MS = 2_000

after(() => {
  setTimeout(() => process.exit(), GRACE_MS).unref()
})
