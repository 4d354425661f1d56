import { WaybillError } from '../../../document/issue.ts'
import { recordsClosed } from '../../../run/record/record-errors.ts'
import { asHomeError, isBusy, unwritable } from './home-errors.ts'
import { exists, mayWrite, openDatabase, openForReading } from './open-database.ts'
import { Queries } from './queries.ts'
import { retryBusy } from './retry-busy.ts'

/** Number of attempts to truncate the write-ahead log after content was removed. */
const TRACE_TRIES = 10
const TRACE_PAUSE_MS = 20

/** The connection of one store, opened on first use; reading does not create a folder or files. */
export class HomeDatabase {
  readonly file: string
  readonly #readOnly: boolean
  readonly #onOpen: (q: Queries) => void
  #open: Queries | undefined
  #closed = false

  /** @param onOpen called when it was opened for writing */
  constructor(file: string, readOnly: boolean, onOpen: (q: Queries) => void = () => {}) {
    this.file = file
    this.#readOnly = readOnly
    this.#onOpen = onOpen
  }

  /** @throws SQLITE_BUSY, HOME_UNWRITABLE and the other codes of the home, RECORDS_CLOSED */
  writable(doing: 'read' | 'write' = 'write'): Queries {
    this.#assertOpen()
    if (this.#readOnly) throw unwritable(this.file, 'it was opened read-only')
    this.#open ??= this.#opened(doing)
    return this.#open
  }

  /** Returns true if writing may succeed; false also if there is no database. */
  mayWrite(): boolean {
    return !this.#readOnly && (this.#open !== undefined || mayWrite(this.file))
  }

  /**
   * Reads in one transaction, so that all data is consistent.
   * @param empty the result if there is no database
   * @throws HOME_BUSY and the other codes of the home
   */
  async read<T>(act: (q: Queries) => T, empty: () => T): Promise<T> {
    this.#assertOpen()
    try {
      return await retryBusy(this.file, () => this.#read(act, empty))
    } catch (error) {
      throw asHomeError(error, this.file, 'read')
    }
  }

  /** Truncates the write-ahead log, so that removed content does not remain in it. A reading process may prevent it. */
  async leaveNoTrace(): Promise<void> {
    for (let tries = 0; tries < TRACE_TRIES; tries++) {
      if (this.#open === undefined) return
      if (isCut(this.#open)) return
      await new Promise((resolve) => setTimeout(resolve, TRACE_PAUSE_MS))
    }
  }

  close(): void {
    this.#closed = true
    this.#open?.close()
    this.#open = undefined
  }

  #opened(doing: 'read' | 'write'): Queries {
    const q = new Queries(openDatabase(this.file, doing))
    try {
      this.#onOpen(q)
      return q
    } catch (error) {
      const named = isBusy(error) ? error : asHomeError(error, this.file, doing)
      q.close()
      throw named
    }
  }

  #read<T>(act: (q: Queries) => T, empty: () => T): T {
    if (this.#open !== undefined) return inTransaction(this.#open, act)
    if (!exists(this.file)) return empty()
    const opened = !this.#readOnly && mayWrite(this.file) ? this.#writableUnlessFull() : undefined
    if (opened !== undefined) return inTransaction(opened, act)
    // Opened again each time: without locks, later changes of the file would not be visible.
    const db = openForReading(this.file)
    if (db === null) return empty()
    const q = new Queries(db)
    try {
      return inTransaction(q, act)
    } finally {
      q.close()
    }
  }

  /** On a full disk SQLite cannot create the files that it needs to write, but what is there can be read. */
  #writableUnlessFull(): Queries | undefined {
    try {
      return this.writable('read')
    } catch (error) {
      if (error instanceof WaybillError && error.code === 'DISK_FULL') return undefined
      throw error
    }
  }

  #assertOpen(): void {
    if (!this.#closed) return
    throw recordsClosed()
  }
}

function inTransaction<T>(q: Queries, act: (q: Queries) => T): T {
  q.exec('BEGIN')
  try {
    return act(q)
  } finally {
    q.rollBack()
  }
}

/** The content is removed even if the log cannot be truncated now: the next checkpoint truncates it. */
function isCut(q: Queries): boolean {
  try {
    return q.all<{ busy: number }>('PRAGMA wal_checkpoint(TRUNCATE)')[0]?.busy === 0
  } catch {
    return false
  }
}
