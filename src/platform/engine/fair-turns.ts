/**
 * Lets a limited number of tasks run at a time. Organisations that wait take turns, so that one that begins many tasks at
 * once delays a task of another by one turn only.
 */
export class FairTurns {
  #free: number
  /** The tasks that wait, by organisation; the organisation whose turn is next comes first. */
  readonly #waiting = new Map<string, (() => void)[]>()

  /** @param limit tasks at a time */
  constructor(limit: number) {
    this.#free = limit
  }

  async during<T>(org: string, task: () => Promise<T>): Promise<T> {
    await this.#turn(org)
    try {
      return await task()
    } finally {
      this.#next()
    }
  }

  #turn(org: string): Promise<void> | undefined {
    if (this.#free > 0) {
      this.#free--
      return
    }
    return new Promise((resolve) => {
      const tasks = this.#waiting.get(org) ?? []
      tasks.push(resolve)
      this.#waiting.set(org, tasks)
    })
  }

  #next(): void {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#free++
      return
    }
    const [org, [begin, ...rest]] = next
    this.#waiting.delete(org)
    if (rest.length > 0) this.#waiting.set(org, rest)
    begin?.()
  }
}
