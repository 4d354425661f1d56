import type { WaybillError } from '../document/issue.ts'

/** Without such an error for this long, the next one is another outage (milliseconds). */
const QUIET_MS = 60_000

const OUTAGES: ReadonlySet<string> = new Set(['DATABASE_UNREACHABLE', 'DISK_FULL'])

/** Notices outages of the database: hundreds of requests fail in one, and it is logged once. */
export class OutageLog {
  readonly #now: () => number
  readonly #warn: (error: WaybillError) => void
  readonly #lastAt = new Map<string, number>()

  /** @param now milliseconds of a monotonic clock */
  constructor(now: () => number, warn: (error: WaybillError) => void) {
    this.#now = now
    this.#warn = warn
  }

  note(error: WaybillError): void {
    if (!OUTAGES.has(error.code)) return
    const at = this.#now()
    const last = this.#lastAt.get(error.code)
    this.#lastAt.set(error.code, at)
    if (last === undefined || at - last > QUIET_MS) this.#warn(error)
  }
}
