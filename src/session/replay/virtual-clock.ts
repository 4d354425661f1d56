import { setImmediate as turnOfEventLoop } from 'node:timers/promises'

/** A moment, and its place among the things that happen at this moment: compared number by number. */
export type Moment = readonly [at: number, ...place: readonly number[]]

interface Item {
  readonly moment: Moment
  readonly fire: () => void
  /** Must not ring after the end of the record. */
  readonly alarm: boolean
}

/** Everything that may follow from one item happens within this many turns: nothing in a replay waits for a device. */
const TURNS = 3

/**
 * Time for a replay: it moves from one thing that was recorded to the next, so that waits take no time and everything
 * happens in the recorded order.
 */
export class VirtualClock {
  #now: number
  readonly #items: Item[] = []

  /** @param start milliseconds since the epoch */
  constructor(start: number) {
    this.#now = start
  }

  now(): number {
    return this.#now
  }

  /** Moves to a later moment; an earlier one changes nothing. */
  moveTo(at: number): void {
    this.#now = Math.max(this.#now, at)
  }

  /** Resolves at a moment; null: it never comes. @throws the signal's reason when it is aborted */
  until(moment: Moment | null, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const remove = moment === null ? () => {} : this.#add({ moment, fire: () => resolve(), alarm: false })
      const stop = () => {
        remove()
        reject(signal.reason)
      }
      if (signal.aborted) stop()
      else signal.addEventListener('abort', stop, { once: true })
    })
  }

  /** @returns a function that cancels the alarm */
  alarm(moment: Moment, ring: () => void): () => void {
    return this.#add({ moment, fire: ring, alarm: true })
  }

  /** Returns the moment of the next item; null: there is none, or only alarms after `last`. */
  next(last: number): Moment | null {
    return this.#first(last)?.moment ?? null
  }

  /** Moves to the next item, and lets it happen together with those that were recorded right after it. */
  fire(last: number): void {
    for (let before: Moment | undefined; ; ) {
      const item = this.#first(last)
      if (item === undefined || (before !== undefined && !isRightAfter(before, item.moment))) return
      this.#items.splice(this.#items.indexOf(item), 1)
      this.moveTo(item.moment[0])
      item.fire()
      before = item.moment
    }
  }

  /** Resolves when everything has happened that needs no time. */
  async settled(): Promise<void> {
    for (let turn = 0; turn < TURNS; turn++) await turnOfEventLoop()
  }

  #first(last: number): Item | undefined {
    let first: Item | undefined
    for (const item of this.#items) {
      if (item.alarm && item.moment[0] > last) continue
      if (first === undefined || isBefore(item.moment, first.moment)) first = item
    }
    return first
  }

  #add(item: Item): () => void {
    this.#items.push(item)
    return () => {
      const at = this.#items.indexOf(item)
      if (at >= 0) this.#items.splice(at, 1)
    }
  }
}

/** Of two equal moments, the one that was added first comes first. */
export function isBefore(a: Moment, b: Moment): boolean {
  for (let at = 0; at < Math.max(a.length, b.length); at++) {
    const [one, other] = [a[at] ?? Number.NEGATIVE_INFINITY, b[at] ?? Number.NEGATIVE_INFINITY]
    if (one !== other) return one < other
  }
  return false
}

/** Returns true for the next event of the same run at the same time: no fact was recorded between both. */
function isRightAfter(before: Moment, next: Moment): boolean {
  return (
    before.length > 1 &&
    before.length === next.length &&
    before.every((part, at) => next[at] === (at === before.length - 1 ? part + 1 : part))
  )
}
