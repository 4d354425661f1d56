/** A queue that one side pushes to and the other reads with `for await`, each value once. Unread values are kept. */
export class Stream<T> implements AsyncIterable<T> {
  readonly #values: T[] = []
  #ended = false
  #wake: (() => void) | undefined

  push(value: T): void {
    this.#values.push(value)
    this.#wake?.()
  }

  end(): void {
    this.#ended = true
    this.#wake?.()
  }

  async *[Symbol.asyncIterator](): AsyncIterator<T> {
    for (;;) {
      const values = this.#values.splice(0)
      yield* values
      if (values.length > 0) continue
      if (this.#ended) return
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }
}
