import type { Clock } from '../../run/ports.ts'
import { afterInput } from './after-input.ts'

/** Maximum delay of a timer, in milliseconds (24.8 days): Node fires a longer timer immediately. */
export const LONGEST_TIMER_MS = 2 ** 31 - 1

/** The functions of a clock; tests may replace those of JavaScript. */
export interface Timers {
  now(): number
  setTimeout(ring: () => void, ms: number): unknown
  clearTimeout(timer: unknown): void
  /** Calls a function when the input that has arrived is read. Absent: at once. */
  afterInput?(lateMs: number, act: () => void): () => void
}

const SYSTEM: Timers = {
  now: Date.now,
  setTimeout: (ring, ms) => setTimeout(ring, ms),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
  afterInput,
}

/** Creates the clock of this machine. A delay beyond the maximum of a timer uses several timers. */
export function createSystemClock({ now, setTimeout, clearTimeout, afterInput }: Timers = SYSTEM): Clock {
  const startTimer = (ms: number, ring: () => void) =>
    setTimeout(ring, Math.min(Math.max(0, ms), LONGEST_TIMER_MS))
  return {
    now,
    sleep(ms, signal) {
      return new Promise((resolve, reject) => {
        let timer: unknown
        const stop = () => {
          clearTimeout(timer)
          reject(signal.reason)
        }
        const wait = (left: number) => {
          timer = startTimer(left, () => {
            if (left > LONGEST_TIMER_MS) return wait(left - LONGEST_TIMER_MS)
            signal.removeEventListener('abort', stop)
            resolve()
          })
        }
        if (signal.aborted) return stop()
        signal.addEventListener('abort', stop, { once: true })
        wait(ms)
      })
    },
    alarm(at, ring) {
      let cancel = () => {}
      // The clock is read again after each timer: it may have been changed, and a timer may fire early.
      const wait = () => {
        const left = at - now()
        const due = performance.now() + Math.max(0, left)
        const timer = startTimer(left, () => {
          if (now() < at) wait()
          else if (afterInput === undefined) ring()
          else cancel = afterInput(performance.now() - due, ring)
        })
        cancel = () => clearTimeout(timer)
      }
      wait()
      return () => cancel()
    },
  }
}
