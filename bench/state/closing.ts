import type { TestContext } from 'node:test'

/** What the two platforms of the tests need of a test: to be closed afterwards. */
export class Closing {
  readonly #acts: (() => unknown)[] = []

  /** As the context of a test, of which they use only `after`. */
  get context(): TestContext {
    return { after: (act: () => unknown) => this.#acts.push(act) } as unknown as TestContext
  }

  async close(): Promise<void> {
    for (const act of this.#acts.toReversed()) await act()
  }
}
