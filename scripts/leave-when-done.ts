/**
 * Loaded into the process of every test file: prints a line when its tests are done, and ends the process even if a
 * handle is open. Waits until the reports of the tests have reached the runner.
 */
import { after } from 'node:test'

/** Printed to standard output on a separate line; `test-record.ts` searches for it. */
const DONE = 'all tests of this file are done'

const GRACE_MS = 2_000

after(() => {
  process.stdout.write(`${DONE}\n`)
  setTimeout(() => process.exit(), GRACE_MS).unref()
})
