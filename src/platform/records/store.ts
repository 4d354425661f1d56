import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { flush } from '../database/flushed.ts'
import { inOrganisation, RECOVERED, type Sql, type TransactionId } from '../database/tenant.ts'
import { asStorageError, isConflict, isUnreachable, outcomeUnknown, unreachable } from './storage-errors.ts'

/** How long a worker repeats a statement whose connection is lost: a restart of the database takes seconds. */
export const WORKER_PATIENCE_MS = 20_000
/** The same for a request, whose client waits for the answer. */
export const REQUEST_PATIENCE_MS = 3_000

const FIRST_PAUSE_MS = 25
const LONGEST_PAUSE_MS = 1_000

/** The connection of one organisation's records: through the role of requests, or that of the engine for a worker. */
export class Store {
  readonly org: string
  /** The worker that holds leases and slots; null for a request, which can hold none. */
  readonly worker: string | null
  readonly #pool: pg.Pool

  constructor(pool: pg.Pool, org: string, worker: string | null) {
    this.#pool = pool
    this.org = org
    this.worker = worker
  }

  /** Reads in one snapshot, so that all data is consistent. */
  read<T>(act: (sql: Sql) => Promise<T>): Promise<T> {
    return patiently(() => inOrganisation(this.#pool, this.org, act, { snapshot: true }), this.#patienceMs)
  }

  /** Flushes what was committed before; see {@link flush}. */
  flush(): Promise<void> {
    return patiently(() => flush(this.#pool), this.#patienceMs)
  }

  /** Writes in one transaction, once; see {@link writeOnce}. */
  write<T>(act: (sql: Sql) => Promise<T>, options?: { readonly durable: boolean }): Promise<T> {
    return writeOnce(this.#pool, this.org, this.#patienceMs, act, options)
  }

  /**
   * Writes one statement of a worker, as a transaction of its own, which takes one round trip. It must be harmless when
   * it is repeated, because its answer may be lost.
   */
  async writeAgain(statement: pg.QueryConfig): Promise<void> {
    this.assertWorker()
    await patiently(() => this.#pool.query(statement), this.#patienceMs)
  }

  /** Only workers can hold leases and slots: using the records of a request for that is a mistake of the program. */
  assertWorker(): string {
    if (this.worker === null) throw new TypeError('records that were opened for a request hold no leases')
    return this.worker
  }

  get #patienceMs(): number {
    return this.worker === null ? REQUEST_PATIENCE_MS : WORKER_PATIENCE_MS
  }
}

/**
 * Writes in one transaction. It is repeated after a deadlock or a lost connection, but never after it was committed: if
 * the connection is lost during the commit, the server is asked for the outcome.
 * @param act must not change anything except the database
 */
export function writeOnce<T>(
  pool: pg.Pool,
  org: string,
  patienceMs: number,
  act: (sql: Sql) => Promise<T>,
  options?: { readonly durable: boolean },
): Promise<T> {
  let sent: { readonly id: TransactionId | null; readonly result: T } | undefined
  return patiently(async () => {
    if (sent !== undefined && sent.id !== null && (await isCommitted(pool, sent.id))) return sent.result
    sent = undefined
    return inOrganisation(
      pool,
      org,
      async (sql, id) => {
        const result = await act(sql)
        sent = { id, result }
        return result
      },
      { ...options, identified: true },
    )
  }, patienceMs)
}

async function isCommitted(pool: pg.Pool, { xid, since }: TransactionId): Promise<boolean> {
  for (let pause = FIRST_PAUSE_MS; ; pause *= 2) {
    const found = await pool
      .query<{ status: string | null; since: string }>(
        `SELECT pg_xact_status($1::xid8) AS status, ${RECOVERED} AS since`,
        [xid],
      )
      .then(({ rows }) => rows[0], unlessUnused)
    // After a crash, a number that is committed may be that of a later transaction. Any other status is certain.
    if (found?.status === 'committed' && found.since !== since) throw outcomeUnknown()
    // The server may not have noticed yet that the connection is lost.
    if (found?.status !== 'in progress') return found?.status === 'committed'
    if (pause > LONGEST_PAUSE_MS) throw unreachable()
    await sleep(pause)
  }
}

/** After a crash, the number of a transaction that was not committed may be higher than all that were used. */
function unlessUnused(error: unknown): undefined {
  if ((error as { readonly code?: string }).code !== INVALID_PARAMETER_VALUE) throw error
}

const INVALID_PARAMETER_VALUE = '22023'

/**
 * Repeats an act that can be repeated while the database cannot be reached.
 * @param act gets the number of attempts before this one
 * @throws DATABASE_UNREACHABLE and other errors of the storage
 */
export async function patiently<T>(act: (failed: number) => Promise<T>, patienceMs: number): Promise<T> {
  const until = performance.now() + patienceMs
  for (let failed = 0; ; failed++) {
    try {
      return await act(failed)
    } catch (error) {
      const pause = Math.min(FIRST_PAUSE_MS * 2 ** failed, LONGEST_PAUSE_MS) * (0.5 + Math.random())
      if ((!isUnreachable(error) && !isConflict(error)) || performance.now() + pause > until)
        throw asStorageError(error)
      await sleep(pause)
    }
  }
}
