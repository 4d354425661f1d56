export interface InOrder<T, R> {
  /** How many items are processed at the same time. */
  readonly limit: number
  readonly work: (item: T, index: number) => Promise<R>
  /** Receives each result as soon as the results of all earlier items have been delivered. */
  readonly deliver: (result: R, index: number) => void
  /** Called before each item; false: no further item is started. */
  readonly mayStartNext?: () => boolean
}

/**
 * Processes a list, several items at a time, and delivers the results in the order of the items.
 * @throws the error of `work`, after all items in flight have finished; no further item is started then
 */
export async function inOrder<T, R>(
  items: readonly T[],
  { limit, work, deliver, mayStartNext }: InOrder<T, R>,
): Promise<void> {
  const done = new Map<number, R>()
  const failures: unknown[] = []
  let next = 0
  let delivered = 0
  const lane = async () => {
    while (next < items.length && failures.length === 0 && mayStartNext?.() !== false) {
      const index = next++
      try {
        done.set(index, await work(items[index] as T, index))
      } catch (error) {
        failures.push(error)
        return
      }
      for (let ready = done.get(delivered); ready !== undefined; ready = done.get(delivered)) {
        done.delete(delivered)
        deliver(ready, delivered++)
      }
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, Math.min(limit, items.length)) }, lane))
  if (failures.length > 0) throw failures[0]
}
