import type pg from 'pg'
import type { RunEvent } from '../../run/event.ts'
import { encodeEvent } from '../../run/record/event-line.ts'
import { inOrganisation, type Sql } from '../database/tenant.ts'
import { storedText } from '../records/stored-text.ts'

/** Characters of events that are stored together. */
const BATCH_CHARACTERS = 256 * 1024

/** After this time, what a stream has left is removed: no stream takes as long. */
export const LEFT_AFTER = '1 hour'

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
  /** The sequence number of the last event that was stored. */
  #stored = 0

  constructor(app: pg.Pool, org: string, runId: string) {
    this.#app = app
    this.#org = org
    this.#runId = storedText(runId)
  }

  /** Adds the next event. Resolves when a few at most are not stored yet. */
  async add(event: RunEvent): Promise<void> {
    const line = encodeEvent(event)
    this.#lines.push(line)
    this.#size += line.length
    if (this.#size < BATCH_CHARACTERS) return
    // Read by the database as they are: an array of texts would be escaped here and parsed there.
    await inOrganisation(this.#app, this.#org, (sql) => this.#insert(sql, 'arriving_events'))
  }

  /** Stores all events as those of the run, in the transaction that stores the run. */
  async moveTo(sql: Sql): Promise<void> {
    const of = [this.#org, this.#runId]
    if (this.#stored > 0) {
      await sql.query(
        `INSERT INTO waybill.events (org, run_id, seq, line)
         SELECT org, run_id, seq, line FROM waybill.arriving_events WHERE org = $1 AND run_id = $2`,
        of,
      )
      await sql.query('DELETE FROM waybill.arriving_events WHERE org = $1 AND run_id = $2', of)
    }
    await this.#insert(sql, 'events', false)
  }

  /** Removes what was stored. */
  async discard(): Promise<void> {
    this.#lines = []
    if (this.#stored === 0) return
    await inOrganisation(this.#app, this.#org, (sql) =>
      sql.query('DELETE FROM waybill.arriving_events WHERE org = $1 AND run_id = $2', [
        this.#org,
        this.#runId,
      ]),
    )
  }

  /** @param forget false: the transaction may be repeated, with the same lines */
  async #insert(sql: Sql, table: 'events' | 'arriving_events', forget = true): Promise<void> {
    const lines = this.#lines
    if (lines.length === 0) return
    const rows = lines.map((_, n) => `($1, $2, $${2 * n + 3}, $${2 * n + 4})`)
    await sql.query(`INSERT INTO waybill.${table} (org, run_id, seq, line) VALUES ${rows.join(', ')}`, [
      this.#org,
      this.#runId,
      ...lines.flatMap((line, n) => [this.#stored + n + 1, line]),
    ])
    if (!forget) return
    this.#stored += lines.length
    this.#lines = []
    this.#size = 0
  }
}
