import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { WaybillError } from '../../document/issue.ts'
import type { Sql } from '../database/tenant.ts'
import type { PollGate } from './poll-gate.ts'
import { workerReturned } from './reconcile.ts'

export interface LeaseOptions {
  /** How long a worker is believed to live without a sign of it, in milliseconds. */
  readonly leaseMs: number
  readonly queues: readonly string[]
  readonly about?: Readonly<Record<string, string | number>>
  /** Whether the worker has nothing to do; then legs that are queued notify it. Default: it is never idle. */
  readonly gate?: Pick<PollGate, 'isQuiet' | 'close'>
  /** Called when the lease has lapsed: the runs of this identity may belong to other workers now. */
  readonly onLapsed: (identity: string) => void
}

/** The part of the lease after which a worker no longer trusts it: other workers wait for the whole. */
const TRUSTED = 0.8

/** How often the lease is renewed in its duration. */
const BEATS = 5

/** The part of the lease that a renewal may take, so that another one is in time: a connection can hang without an error. */
const RENEWAL = 1 / 3

/** How long the end of a lease may take to store, in milliseconds. */
const STOP_MS = 5000

/**
 * The lease of a worker: a row that it renews, measured with the monotonic clock here and with the database's clock
 * there. A worker that was suspended or cut off for longer has lost its runs, and continues under a new identity.
 *
 * The lease is checked before each send. A process that is suspended between the check and the send can still send once
 * after another worker has taken over; the window is the time from the check to the system call, and the answer is
 * refused, because the epoch of the run has changed.
 */
export class WorkerLease {
  readonly #pool: pg.Pool
  readonly #options: LeaseOptions
  #identity = newIdentity()
  /** When the last renewal that succeeded was sent, on the monotonic clock. */
  #renewedAt = Number.NEGATIVE_INFINITY
  /** Lapsed identities that the database does not know to have survived. */
  readonly #lost = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #renewing: Promise<void> | undefined
  #stopped = false

  constructor(pool: pg.Pool, options: LeaseOptions) {
    this.#pool = pool
    this.#options = options
  }

  /** The holder of this worker's runs. Changes when the lease has lapsed. */
  get identity(): string {
    return this.#identity
  }

  /** Returns whether this identity still owns its runs. */
  isHeld(identity: string): boolean {
    return (
      identity === this.#identity && performance.now() - this.#renewedAt < this.#options.leaseMs * TRUSTED
    )
  }

  /** Resolves when the present identity is held. @throws AbortError */
  async untilHeld(signal: AbortSignal): Promise<void> {
    while (!this.isHeld(this.#identity)) await sleep(this.#options.leaseMs / BEATS / 2, undefined, { signal })
  }

  async start(): Promise<void> {
    // Without a lease, nothing is lost by waiting.
    await this.#renew(this.#options.leaseMs)
    this.#beatLater()
  }

  /** Ends the lease, so that other workers need not wait for it to lapse. Lapsed identities do not count as dead either. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#timer)
    this.#lapseIfLate()
    this.#renewedAt = Number.NEGATIVE_INFINITY
    await this.#inTime(async (sql) => {
      await this.#reportReturn(sql)
      await sql.query('DELETE FROM waybill.workers WHERE worker = $1', [this.#identity])
    }, STOP_MS).catch(() => {})
  }

  /** Also while a renewal waits for the database: that the lease has lapsed is known from the clock. */
  #beatLater(): void {
    if (this.#stopped) return
    this.#timer = setTimeout(() => {
      this.#lapseIfLate()
      this.#renewing ??= this.#renew()
        .catch(() => {})
        .finally(() => {
          this.#renewing = undefined
        })
      this.#beatLater()
    }, this.#options.leaseMs / BEATS)
  }

  /** An identity that was never held owns nothing. */
  #lapseIfLate(): void {
    if (this.#renewedAt !== Number.NEGATIVE_INFINITY && !this.isHeld(this.#identity)) this.#lapse()
  }

  #lapse(): void {
    const lost = this.#identity
    this.#identity = newIdentity()
    this.#renewedAt = Number.NEGATIVE_INFINITY
    this.#lost.add(lost)
    this.#options.onLapsed(lost)
  }

  /** Its runs continue at once, and do not count it as a death. */
  async #reportReturn(sql: Sql): Promise<void> {
    for (const lost of this.#lost) {
      await workerReturned(sql, lost)
      this.#lost.delete(lost)
    }
  }

  async #renew(withinMs?: number): Promise<void> {
    const { leaseMs, queues, about = {}, gate } = this.#options
    const identity = this.#identity
    const idle = gate?.isQuiet === true
    await this.#inTime(async (sql) => {
      if (this.#stopped) return
      const sentAt = performance.now()
      const { rowCount } = await sql.query({
        name: 'renew-lease',
        text: `INSERT INTO waybill.workers AS w (worker, until, queues, about, idle)
          VALUES ($1, clock_timestamp() + $2 * interval '1 millisecond', $3, $4, $5)
          ON CONFLICT (worker) DO UPDATE SET until = excluded.until, idle = excluded.idle WHERE w.until > clock_timestamp()`,
        values: [identity, leaseMs, queues, JSON.stringify(about), idle],
      })
      if (idle && rowCount === 1) gate?.close()
      // The row exists, but has lapsed by the clock of the database: other workers may have taken over.
      if (rowCount === 0) {
        if (identity === this.#identity) this.#lapse()
        return
      }
      if (identity === this.#identity && !this.#stopped) this.#renewedAt = sentAt
      this.#lapseIfLate()
      await this.#reportReturn(sql)
    }, withinMs)
  }

  /** Runs statements on one connection, which is closed if they take too long: the next attempt uses another one. */
  async #inTime(act: (sql: Sql) => Promise<void>, withinMs = this.#options.leaseMs * RENEWAL): Promise<void> {
    const client = await this.#pool.connect()
    let isReleased = false
    const release = (closes: boolean) => {
      if (!isReleased) client.release(closes)
      isReleased = true
    }
    // Statements on a connection that is closed fail. An answer that has arrived is read before: this process may be late.
    const limit = setTimeout(() => setImmediate(release, true), withinMs)
    try {
      await act(client)
      release(false)
    } catch (error) {
      release(true)
      throw error
    } finally {
      clearTimeout(limit)
    }
  }
}

/** The error of an act for a run that this worker no longer owns. */
export function leaseLapsed(runId: string): WaybillError {
  return new WaybillError('RUN_TAKEN_OVER', {
    fault: 'failed',
    message: `this worker was stopped or cut off for longer than its lease, so it no longer owns run ${runId}`,
    hint: 'another worker continues the run; look for long pauses of the machine',
  })
}

function newIdentity(): string {
  return `${process.pid}-${randomUUID()}`
}
