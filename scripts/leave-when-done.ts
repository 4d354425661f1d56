/**
 * Loaded into the process of every test file: says when its tests are done, and ends it though a handle is still
 * open. Not at once: what the tests have to report must first reach the runner.
 */
import { after } from 'node:test'

/** On standard output, alone on its line; `test-record.ts` looks for it. */
const DONE = 'all tests of this file are done'

const GRACE_MS = 2_000

after(() => {
  process.stdout.write(`${DONE}\n`)
  setTimeout(() => process.exit(), GRACE_MS).unref()
})
