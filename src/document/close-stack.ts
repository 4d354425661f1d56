/**
 * What closes the things that a function has opened, the last one first. `AsyncDisposableStack` does the same; Node 22 has
 * no such class.
 */
export class CloseStack {
  readonly #closes: (() => unknown)[] = []

  /** Registers what closes a thing, to be called as soon as the thing is open. Returns the thing. */
  add<T>(opened: T, close: (opened: T) => unknown): T {
    this.#closes.push(() => close(opened))
    return opened
  }

  /** Closes all things, also if one of them fails. @throws the first error */
  async close(): Promise<void> {
    const errors: unknown[] = []
    for (let close = this.#closes.pop(); close !== undefined; close = this.#closes.pop()) {
      try {
        await close()
      } catch (error) {
        errors.push(error)
      }
    }
    if (errors.length > 0) throw errors[0]
  }
}

/**
 * Opens several things that belong together. If one of them cannot be opened, those before it are closed, and the error is
 * thrown.
 */
export async function openTogether<T>(open: (opened: CloseStack) => Promise<T>): Promise<T> {
  const opened = new CloseStack()
  try {
    return await open(opened)
  } catch (error) {
    // A second error would hide why nothing could be opened.
    await opened.close().catch(() => {})
    throw error
  }
}
