import { type TestContext, test } from 'node:test'
import type { ContractCase } from 'waybill/testing'

/** Registers a test for each case of a contract; each has its own subject, which is removed after the test. */
export function hold<Subject>(
  suite: (open: () => Promise<Subject>) => readonly ContractCase[],
  open: (t: TestContext) => Promise<Subject>,
): void {
  const unopened = suite(() => Promise.reject(new Error('only its name is asked for')))
  for (const [index, { name }] of unopened.entries()) test(name, (t) => suite(() => open(t))[index]?.check())
}
