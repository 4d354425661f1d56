import type pg from 'pg'
import type { RunEvent } from '../../run/event.ts'
import { encodeEvent } from '../../run/record/event-line.ts'
import { storedText } from '../database/stored-text.ts'
import { inOrganisation, type Sql } from '../database/tenant.ts'

/** Characters of events that are stored together. */
const BATCH_CHARACTERS = 512 * 1024
/** Batches of one transaction. */
const BATCHES_AT_ONCE = 8
/** If so many batches are not stored yet, no more events are taken. */
const MOST_WAITING = 6

/** Events that are stored together. */
interface Batch {
  /** The sequence number of the first one. */
  readonly seq: number
  readonly lines: readonly string[]
}

/**
 * The first events of a run whose state is arriving. They wait in a table until everything has arrived, so neither the
 * memory of this process nor a transaction holds them while a slow sender is awaited.
 */
export class ArrivingEvents {
  readonly #app: pg.Pool
  readonly #org: string
  readonly #runId: string
  #lines: string[] = []
  #size = 0
  /** The sequence number of the last event in a batch. */
  #batched = 0
  #waiting: Batch[] = []
  #isStoring = false
  #storing: Promise<void> = Promise.resolve()
  /** Settled when the next batch is stored, or is not. */
  #next = promised()

  constructor(app: pg.Pool, org: string, runId: string) {
    this.#app = app
    this.#org = org
    this.#runId = storedText(runId)
  }

  /**
   * Adds the next event. Batches are stored while the next events are read and searched, so this resolves at once unless
   * many are waiting. @throws if one was not stored
   */
  async add(event: RunEvent): Promise<void> {
    const line = encodeEvent(event)
    this.#lines.push(line)
    this.#size += line.length
    if (this.#size < BATCH_CHARACTERS) return
    this.#waiting.push({ seq: this.#batched + 1, lines: this.#lines })
    this.#batched += this.#lines.length
    this.#lines = []
    this.#size = 0
    if (!this.#isStoring) {
      this.#storing = this.#store()
      this.#storing.catch((error) => this.#next.reject(error))
    }
    if (this.#waiting.length >= MOST_WAITING) await this.#next.promise
  }

  /**
   * Resolves when all batches are stored. To be awaited before {@link moveTo}: its transaction must not hold the last
   * connection while a batch waits for one.
   */
  settled(): Promise<void> {
    return this.#storing
  }

  /** Stores all events as those of the run, in the transaction that stores the run. It may be repeated. */
  async moveTo(sql: Sql): Promise<void> {
    const of = [this.#org, this.#runId]
    if (this.#batched > 0) {
      await sql.query(
        `INSERT INTO waybill.events (org, run_id, seq, line)
         SELECT org, run_id, seq, line FROM waybill.arriving_events WHERE org = $1 AND run_id = $2`,
        of,
      )
      await sql.query('DELETE FROM waybill.arriving_events WHERE org = $1 AND run_id = $2', of)
    }
    await this.#insert(sql, 'events', { seq: this.#batched + 1, lines: this.#lines })
  }

  /** Removes what was stored. */
  async discard(): Promise<void> {
    this.#lines = []
    this.#waiting = []
    await this.#storing.catch(() => {})
    if (this.#batched === 0) return
    await inOrganisation(this.#app, this.#org, (sql) =>
      sql.query('DELETE FROM waybill.arriving_events WHERE org = $1 AND run_id = $2', [
        this.#org,
        this.#runId,
      ]),
    )
  }

  /** Stores what is waiting, several batches in one transaction: each round trip waits for a turn of this process. */
  async #store(): Promise<void> {
    this.#isStoring = true
    while (this.#waiting.length > 0)
      await inOrganisation(this.#app, this.#org, async (sql) => {
        for (let n = 0; n < BATCHES_AT_ONCE; n++) {
          const batch = this.#waiting.shift()
          if (batch === undefined) return
          await this.#insert(sql, 'arriving_events', batch)
          this.#next.resolve()
          this.#next = promised()
        }
      })
    // After a failure it stays true: nothing more is stored.
    this.#isStoring = false
  }

  /** The lines are read by the database as they are: an array of texts would be escaped here and parsed there. */
  async #insert(sql: Sql, table: 'events' | 'arriving_events', { seq, lines }: Batch): Promise<void> {
    if (lines.length === 0) return
    const rows = lines.map((_, n) => `($1, $2, $${2 * n + 3}, $${2 * n + 4})`)
    await sql.query(`INSERT INTO waybill.${table} (org, run_id, seq, line) VALUES ${rows.join(', ')}`, [
      this.#org,
      this.#runId,
      ...lines.flatMap((line, n) => [seq + n, line]),
    ])
  }
}

/** Returns a promise that may be rejected before it is awaited. */
function promised(): PromiseWithResolvers<void> {
  const one = Promise.withResolvers<void>()
  one.promise.catch(() => {})
  return one
}
