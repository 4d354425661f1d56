import assert from 'node:assert/strict'

/**
 * One requirement of a port. For any test runner: `for (const { name, check } of suite) test(name, check)`; a check
 * that rejects has found a violation.
 */
export interface ContractCase {
  readonly name: string
  check(): Promise<void>
}

/** Maximum time of an operation that must not wait for the outside, in milliseconds. */
const PROMPT_MS = 2000

/** @returns the error that the work rejects with; it must reject promptly */
export async function rejection(work: Promise<unknown>): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new assert.AssertionError({ message: 'it did not end' })), PROMPT_MS)
  })
  const caught = work.then(
    () => assert.fail('it resolved'),
    (error: unknown) => ({ error }),
  )
  try {
    return (await Promise.race([caught, late])).error
  } finally {
    clearTimeout(timer)
  }
}

/** Codes are public: capital letters, digits and underscores. */
export function assertCode(code: unknown): void {
  assert.match(String(code), /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/)
}
