import assert from 'node:assert/strict'

/**
 * One promise of a port. For any test runner: `for (const { name, check } of suite) test(name, check)`; a check that
 * rejects has found the promise broken.
 */
export interface ContractCase {
  readonly name: string
  check(): Promise<void>
}

/** How long something may take that must not wait for the world. */
const PROMPT_MS = 2000

/** @returns what the work rejects with, which it must do at once */
export async function rejection(work: Promise<unknown>): Promise<unknown> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new assert.AssertionError({ message: 'it went on all the same' })),
      PROMPT_MS,
    )
  })
  const caught = work.then(
    () => assert.fail('it gave an answer'),
    (error: unknown) => ({ error }),
  )
  try {
    return (await Promise.race([caught, late])).error
  } finally {
    clearTimeout(timer)
  }
}

/** Codes are public: words in capitals. */
export function assertCode(code: unknown): void {
  assert.match(String(code), /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/)
}
