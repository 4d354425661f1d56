/** By reference, the digest of the definition that it led to when the plan was made; null: to none. */
export type Found = Map<string, string | null>

interface Kept<T> {
  readonly value: Promise<T>
  readonly found: ReadonlyMap<string, string | null>
  /** Monotonic, in milliseconds. */
  readonly at: number
}

/** Number of plans that are kept; the one that was not used for the longest time is dropped for a new one. */
const MOST = 200

/** Plans by key, with their connections. */
export class KeptPlans<T> {
  readonly #kept = new Map<string, Kept<T>>()
  readonly #drop: (value: T) => void

  /** @param drop releases a plan that is no longer kept; it may still be in use */
  constructor(drop: (value: T) => void) {
    this.#drop = drop
  }

  /** @param maxAgeMs an older plan is not returned */
  get(key: string, maxAgeMs: number): Kept<T> | undefined {
    const kept = this.#kept.get(key)
    if (kept === undefined || performance.now() - kept.at > maxAgeMs) return undefined
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    return kept
  }

  /** Keeps a plan, instead of an earlier one with this key. One that fails is not kept. */
  keep(key: string, value: Promise<T>, found: Kept<T>['found'] = new Map()): Promise<T> {
    const kept = { value, found, at: performance.now() }
    this.#set(key, kept)
    value.catch(() => {
      for (const [known, one] of this.#kept) if (one === kept) this.#kept.delete(known)
    })
    return value
  }

  /** Keeps the plan of one key under another one. */
  move(from: string, to: string): void {
    const kept = this.#kept.get(from)
    if (kept === undefined) return
    this.#kept.delete(from)
    this.#set(to, kept)
  }

  async close(close: (value: T) => Promise<void>): Promise<void> {
    const all = [...this.#kept.values()]
    this.#kept.clear()
    for (const made of await Promise.allSettled(all.map(({ value }) => value)))
      if (made.status === 'fulfilled') await close(made.value)
  }

  #set(key: string, kept: Kept<T>): void {
    this.#release(this.#kept.get(key))
    this.#kept.delete(key)
    this.#kept.set(key, kept)
    const [oldest] = this.#kept
    if (this.#kept.size <= MOST || oldest === undefined) return
    this.#kept.delete(oldest[0])
    this.#release(oldest[1])
  }

  #release(kept: Kept<T> | undefined): void {
    kept?.value.then(this.#drop).catch(() => {})
  }
}
