import { setTimeout as sleep } from 'node:timers/promises'
import type { CallInFlight } from './calls-in-flight.ts'
import type { McpConnection } from './open-connection.ts'

/** How long a call is held open for the answer of a person, in milliseconds. */
const HELD_MS = 10 * 60_000
/** How long the end of connections waits for the messages to servers that wait, in milliseconds. */
const FAREWELL_MS = 50

/** A call that waits for a person while its server waits for the answer. */
export interface HeldCall {
  readonly call: CallInFlight
  readonly connection: McpConnection
  /** Ends the request. */
  readonly abort: (reason: Error) => void
  /** Replaces the listener for progress notifications. */
  readonly onProgress: (act: () => void) => void
}

/** The calls of a run that wait for a person, by their idempotency keys. Others are made again. */
export class HeldCalls {
  readonly #held = new Map<string, HeldCall & { readonly timer: NodeJS.Timeout }>()

  hold(held: HeldCall): void {
    const { key } = held.call
    this.drop(key)
    const timer = setTimeout(() => this.drop(key), HELD_MS)
    timer.unref()
    this.#held.set(key, { ...held, timer })
  }

  /** Returns the held call with this key, which is held no more. */
  take(key: string): HeldCall | undefined {
    const held = this.#held.get(key)
    clearTimeout(held?.timer)
    this.#held.delete(key)
    return held
  }

  /** Gives up a held call: it is cancelled, and made again when a person has answered. */
  drop(key: string): void {
    const held = this.take(key)
    if (held !== undefined) abandon(held)
  }

  /** Gives up all held calls, with time for their servers to take note before the connections end. */
  async close(): Promise<void> {
    const keys = [...this.#held.keys()]
    for (const key of keys) this.drop(key)
    if (keys.length > 0) await sleep(FAREWELL_MS)
  }
}

/** Cancels a call, and then refuses what its server has asked. */
export function abandon({ call, abort }: HeldCall): void {
  abort(new Error('no person has answered yet'))
  call.abandon()
}
