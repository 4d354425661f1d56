export interface PollGateOptions {
  /** How long polls continue after the last sign of work, in milliseconds. Default 2 s. */
  readonly workMs?: number
  /** How long a poll is held at most while there is no work, in milliseconds. Default 5 s. */
  readonly holdMs?: number
}

/**
 * Holds the polls of the queue while there is nothing to hand out, so that an idle worker costs next to nothing. It is
 * closed only after the database knows that this worker is idle, because then each process that queues a leg notifies it.
 */
export class PollGate {
  readonly #workMs: number
  readonly #holdMs: number
  readonly #held = new Set<() => void>()
  #performing = 0
  // The start of the queue must not be held.
  #openUntil = Number.POSITIVE_INFINITY
  #closed = false

  constructor({ workMs = 2000, holdMs = 5000 }: PollGateOptions = {}) {
    this.#workMs = workMs
    this.#holdMs = holdMs
  }

  /** Returns whether there was no work for a while. */
  get isQuiet(): boolean {
    return this.#performing === 0 && performance.now() > this.#openUntil
  }

  /** The database knows that this worker is idle. */
  close(): void {
    if (this.isQuiet) this.#closed = true
  }

  /** There may be work: releases the polls that are held. */
  open(): void {
    this.#closed = false
    this.#openUntil = performance.now() + this.#workMs
    for (const release of this.#held) release()
  }

  /** Resolves when the queue should be asked. */
  async pass(): Promise<void> {
    if (!this.#closed) return
    await new Promise<void>((resolve) => {
      const release = () => {
        clearTimeout(timer)
        this.#held.delete(release)
        resolve()
      }
      const timer = setTimeout(release, this.#holdMs)
      this.#held.add(release)
    })
  }

  /** Keeps the gate open while a leg is performed. */
  async during(perform: () => Promise<void>): Promise<void> {
    this.#performing++
    this.open()
    try {
      await perform()
    } finally {
      this.#performing--
      this.open()
    }
  }
}
