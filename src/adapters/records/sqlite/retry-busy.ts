import { setTimeout as sleep } from 'node:timers/promises'
import { homeBusy, isBusy } from './home-errors.ts'

/** Maximum time for retries while other processes write, in milliseconds. */
export const BUSY_MS = 10_000

/** Delay before a retry, in milliseconds: random, so that processes do not collide repeatedly. */
export function pauseMs(tries: number): number {
  const longest = Math.min(50, 2 * 2 ** Math.min(tries, 5))
  return 1 + Math.random() * longest
}

/**
 * Retries while the database is busy. The busy handler of SQLite would block the event loop.
 * @throws HOME_BUSY after 10 s
 */
export async function retryBusy<T>(file: string, act: () => T): Promise<T> {
  const until = performance.now() + BUSY_MS
  for (let tries = 0; ; tries++) {
    try {
      return act()
    } catch (error) {
      if (!isBusy(error)) throw error
      if (performance.now() > until) throw homeBusy(file, error)
    }
    await sleep(pauseMs(tries))
  }
}
