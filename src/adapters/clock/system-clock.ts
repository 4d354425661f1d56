import type { Clock } from '../../run/ports.ts'

/** Maximum delay of a timer, in milliseconds (24.8 days): Node fires a longer timer immediately. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** The functions of a clock; tests may replace those of JavaScript. */
export interface Timers {
  now(): number
  setTimeout(ring: () => void, ms: number): unknown
  clearTimeout(timer: unknown): void
}

const SYSTEM: Timers = {
  now: Date.now,
  setTimeout: (ring, ms) => setTimeout(ring, ms),
  clearTimeout: (timer) => clearTimeout(timer as NodeJS.Timeout),
}

/** Creates the clock of this machine. A delay beyond the maximum of a timer uses several timers. */
export function createSystemClock({ now, setTimeout, clearTimeout }: Timers = SYSTEM): Clock {
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
      let timer: unknown
      // The clock is read again after each timer: it may have been changed, and a timer may fire early.
      const wait = () => {
        timer = startTimer(at - now(), () => (now() < at ? wait() : ring()))
      }
      wait()
      return () => clearTimeout(timer)
    },
  }
}
