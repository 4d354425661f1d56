/** Turns of the event loop in which sockets are read. An answer of several parts needs several. */
const TURNS = 5
/** A timer that is this late was held up by the process: it was suspended, or computed. In milliseconds. */
const HELD_UP_MS = 1000
/** Time to read what arrived while the process was held up: much, or compressed. In milliseconds. */
const CATCH_UP_MS = 500

/**
 * Calls `act` when the input that has arrived before is read. Node runs timers before it reads sockets, so after a
 * suspension a time limit would pass although the answer is already there.
 * @param lateMs how late the timer is that asks for it
 * @returns a function that cancels it
 */
export function afterInput(lateMs: number, act: () => void): () => void {
  let left = TURNS
  let timer: NodeJS.Timeout | undefined
  const turn = () => {
    if (left-- > 0) immediate = setImmediate(turn)
    else if (lateMs < HELD_UP_MS) act()
    else timer = setTimeout(act, CATCH_UP_MS)
  }
  let immediate = setImmediate(turn)
  return () => {
    clearImmediate(immediate)
    clearTimeout(timer)
  }
}

/**
 * Calls `act` after a time, and after the input that arrived within it.
 * @returns a function that cancels it
 */
export function startTimeLimit(ms: number, act: () => void): () => void {
  const due = performance.now() + ms
  let cancel = () => clearTimeout(timer)
  const timer = setTimeout(() => {
    cancel = afterInput(performance.now() - due, act)
  }, ms)
  return () => cancel()
}
