import { crc32 } from 'node:zlib'
import type { Records } from '../run/record/records.ts'
import { parseEntry } from '../trust/audit-chain.ts'

/** Entries that are read at a time. */
const PAGE = 1_000

/** Reads an audit log in pages. What was appended meanwhile is read by another call of `rest`. */
export class LogReader {
  readonly #audit: Records['audit']
  #after = 0

  constructor({ audit }: Pick<Records, 'audit'>) {
    this.#audit = audit
  }

  /** Yields the lines after those that were read before. */
  async *rest(): AsyncGenerator<string> {
    for (;;) {
      const lines = await this.#audit.lines(this.#after, PAGE)
      this.#after = numberAfter(lines, this.#after)
      yield* lines
      if (lines.length < PAGE) return
    }
  }
}

/** Returns the number after which the log continues: that of the last entry, also if entries before it are missing. */
export function numberAfter(lines: readonly string[], after: number): number {
  const last = lines.at(-1)
  const n = last === undefined ? after : (parseEntry(last)?.n ?? 0)
  return Math.max(n, after + lines.length)
}

/** The log entries of one run. */
export interface LoggedRun {
  /** Digest by sequence number. */
  readonly events: Map<number, string>
  removed: boolean
  /** Its record was compared with these entries. */
  compared: boolean
}

/** The log entries of a part of the runs, so that a long log is compared in bounded memory. */
export class LoggedRuns {
  readonly #reader: LogReader
  readonly #part: number
  readonly #parts: number
  readonly #runs = new Map<string, LoggedRun>()

  constructor(records: Pick<Records, 'audit'>, part: number, parts: number) {
    this.#reader = new LogReader(records)
    this.#part = part
    this.#parts = parts
  }

  has(runId: string): boolean {
    return this.#parts === 1 || crc32(runId) % this.#parts === this.#part
  }

  of(runId: string): LoggedRun | undefined {
    return this.#runs.get(runId)
  }

  all(): Iterable<readonly [string, LoggedRun]> {
    return this.#runs
  }

  /** Reads what was appended since the last call. */
  async catchUp(): Promise<void> {
    for await (const line of this.#reader.rest()) {
      const fact = parseEntry(line)?.fact
      if (fact === undefined || typeof fact.run_id !== 'string' || !this.has(fact.run_id)) continue
      const run = this.#runs.get(fact.run_id) ?? { events: new Map(), removed: false, compared: false }
      this.#runs.set(fact.run_id, run)
      if (fact.kind === 'run.removed') run.removed = true
      if (typeof fact.seq === 'number' && typeof fact.event === 'string') run.events.set(fact.seq, fact.event)
    }
  }
}
