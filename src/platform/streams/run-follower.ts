import type pg from 'pg'
import { WaybillError } from '../../document/issue.ts'
import { runNotFound } from '../../run/record/record-errors.ts'
import { flush } from '../database/flushed.ts'
import { storedText } from '../database/stored-text.ts'
import type { RunView } from '../records/run-view.ts'
import {
  NO_TEXT,
  POSITIONS_SQL,
  type Position,
  type PositionRow,
  readPage,
  type StreamPage,
} from './read-page.ts'
import type { StreamItem } from './stream-item.ts'

/** Time between two queries, in milliseconds. */
const EVERY_MS = 100
/** How long queries may fail until the streams are cut, in milliseconds. */
const PATIENCE_MS = 20_000
/** After failures, the time between two queries grows up to this, in milliseconds. */
const SLOWEST_MS = 2000
/** The largest sequence number that the database can store. */
export const LAST_EVENT = 2_147_483_647

export interface RunFollowerOptions {
  /** Time between two queries, in milliseconds. Default 100. */
  readonly everyMs?: number
  /** How long the database may be unreachable until streams are cut, in milliseconds. Default 20,000. */
  readonly patienceMs?: number
}

export interface Followed {
  readonly org: string
  readonly runId: string
  /** The last event that the client has; 0 for none. */
  readonly after: number
  /** When aborted, the stream stops without `end`. */
  readonly signal: AbortSignal
  /** Reads the run for the item `end`. */
  readonly view: () => Promise<RunView>
}

/** A follower that has taken all its items and waits for more. */
interface Waiting {
  readonly position: Position
  /** Null: the stream was aborted. */
  readonly resolve: (page: StreamPage | null) => void
  readonly reject: (error: unknown) => void
  /** Asked for in the next query, without waiting for its time. */
  due: boolean
}

/**
 * Follows runs for all clients of a process, also runs that other processes drive. While clients wait for news, one
 * query every 100 ms asks for all of them: clients at the same place of the same run cost as much as one. A client
 * pulls: what it has not yet taken is in the database, not in memory, so a slow client delays no other client and
 * holds at most one page.
 */
export class RunFollower {
  readonly #engine: pg.Pool
  readonly #everyMs: number
  readonly #patienceMs: number
  readonly #waiting = new Set<Waiting>()
  #timer: NodeJS.Timeout | null = null
  #timerAt = Number.POSITIVE_INFINITY
  #asking = false
  #askedAt = Number.NEGATIVE_INFINITY
  #failingSince: number | null = null
  #failures = 0

  constructor(engine: pg.Pool, { everyMs = EVERY_MS, patienceMs = PATIENCE_MS }: RunFollowerOptions = {}) {
    this.#engine = engine
    this.#everyMs = everyMs
    this.#patienceMs = patienceMs
  }

  /**
   * Yields the events of a run after a sequence number, in order, each once, and the text that a model is writing:
   * first `text.snapshot`, then the continuation. Another snapshot replaces the text before it. The last item is
   * `end`, when the run is over; a run that waits for a person keeps the stream open.
   * @throws RUN_NOT_FOUND, EVENT_ID_AHEAD; DATABASE_UNREACHABLE if the database does not answer for a long time
   */
  async *follow({ org, runId, after, signal, view }: Followed): AsyncGenerator<StreamItem, void, undefined> {
    const from = Math.min(Math.max(after, 0), LAST_EVENT)
    let position: Position = { org, runId, after: from, since: from, ended: 0, text: NO_TEXT }
    let due = true
    for (;;) {
      const page = await this.#next(position, due, signal)
      if (page === null) return
      if (page.state === 'missing') throw runNotFound(runId)
      for (const item of page.items) {
        yield item
        if (signal.aborted) return
      }
      if (page.state === 'over') {
        yield { type: 'end', run: await view() }
        return
      }
      position = page.next
      due = page.more
    }
  }

  /** Asks at once for a run that has changed: for runs that this process drives itself. */
  notify(org: string, runId: string): void {
    let found = false
    for (const one of this.#waiting)
      if (one.position.runId === runId && one.position.org === org) {
        one.due = true
        found = true
      }
    if (found) this.#schedule(0)
  }

  /** Cuts all streams: each stops without `end`. */
  close(): void {
    this.#stopTimer()
    for (const { resolve } of [...this.#waiting]) resolve(null)
  }

  #next(position: Position, due: boolean, signal: AbortSignal): Promise<StreamPage | null> {
    if (signal.aborted) return Promise.resolve(null)
    return new Promise((resolve, reject) => {
      const settle = () => {
        this.#waiting.delete(one)
        if (this.#waiting.size === 0) this.#stopTimer()
        signal.removeEventListener('abort', abort)
      }
      const abort = () => one.resolve(null)
      const one: Waiting = {
        position,
        due,
        resolve: (page) => {
          settle()
          resolve(page)
        },
        reject: (error) => {
          settle()
          reject(error)
        },
      }
      signal.addEventListener('abort', abort, { once: true })
      this.#waiting.add(one)
      this.#schedule(due ? 0 : this.#everyMs - (performance.now() - this.#askedAt))
    })
  }

  #schedule(inMs: number): void {
    if (this.#asking || this.#waiting.size === 0) return
    const slowed = Math.min(SLOWEST_MS, this.#everyMs * 2 ** this.#failures)
    const delay = Math.max(0, this.#failures > 0 ? slowed : inMs)
    const at = performance.now() + delay
    if (this.#timer !== null) {
      if (this.#timerAt <= at) return
      this.#stopTimer()
    }
    this.#timerAt = at
    this.#timer = setTimeout(() => {
      this.#timer = null
      void this.#ask()
    }, delay)
  }

  #stopTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }

  async #ask(): Promise<void> {
    const isTick = performance.now() - this.#askedAt >= this.#everyMs * 0.9
    const asking = [...this.#waiting].filter(({ due }) => isTick || due)
    if (isTick) this.#askedAt = performance.now()
    if (asking.length > 0) {
      this.#asking = true
      await this.#answer(asking)
      this.#asking = false
    }
    if ([...this.#waiting].some(({ due }) => due)) this.#schedule(0)
    else this.#schedule(this.#everyMs - (performance.now() - this.#askedAt))
  }

  async #answer(asking: readonly Waiting[]): Promise<void> {
    const groups = Map.groupBy(asking, ({ position }) => JSON.stringify(position))
    const places = [...groups.values()]
    const positions = places.flatMap(([first]) => (first === undefined ? [] : [first.position]))
    for (const one of asking) one.due = false
    try {
      const { rows } = await this.#engine.query<PositionRow>(POSITIONS_SQL, columns(positions))
      // A client must not be shown an event that a crash of the database would replace by another one.
      if (rows.some(({ lines, behind }) => lines !== null && behind)) await flush(this.#engine)
      this.#failures = 0
      this.#failingSince = null
      for (const [index, row] of rows.entries()) this.#deliver(positions[index], row, places[index] ?? [])
    } catch (cause) {
      this.#failed(cause)
    }
  }

  #deliver(position: Position | undefined, row: PositionRow, group: readonly Waiting[]): void {
    if (position === undefined) return
    try {
      const page = readPage(position, row)
      if (page !== null) for (const { resolve } of group) resolve(page)
    } catch (error) {
      // A record that cannot be read ends the streams of this run, and no other.
      for (const { reject } of group) reject(error)
    }
  }

  /** Waits until the database answers again, but not for ever: clients then connect to another server. */
  #failed(cause: unknown): void {
    const now = performance.now()
    this.#failures++
    this.#failingSince ??= now
    if (now - this.#failingSince < this.#patienceMs) return
    for (const { reject } of [...this.#waiting])
      reject(
        new WaybillError('DATABASE_UNREACHABLE', {
          fault: 'failed',
          message: 'the database has not answered for a long time, so the stream was cut',
          hint: 'connect again with the last event id; `waybill doctor` tests the database',
          cause,
        }),
      )
  }
}

function columns(positions: readonly Position[]): unknown[] {
  return [
    positions.map(({ org }) => org),
    positions.map(({ runId }) => storedText(runId)),
    positions.map(({ after }) => after),
    positions.map(({ since }) => since),
    positions.map(({ ended }) => ended),
    positions.map(({ text }) => text.seq),
    positions.map(({ text }) => text.epoch),
    positions.map(({ text }) => text.n),
  ]
}
