import type {
  Arrival,
  MoveFailure,
  MoveRecords,
  NewMove,
  StoredArrival,
  StoredMove,
  StoredState,
} from '../../../run/record/move-records.ts'
import { runLocked, runNotFound } from '../../../run/record/record-errors.ts'
import type { RestoredRecord } from '../../../run/record/records.ts'
import type { AuditFact } from '../../../trust/audit-chain.ts'
import { assertHere } from './away.ts'
import type { Group } from './group-commit.ts'
import type { Queries } from './queries.ts'
import { runRow } from './read-run.ts'
import type { SqliteRuns } from './run-records.ts'
import type { StoreParts } from './store-parts.ts'

const MOVE = `SELECT jti, run_id, source, target, url, method, by, paused, phase, document, state_id, checksum, expires_at,
  target_run_id, code, why FROM moves`
const ARRIVAL = `SELECT jti, state, run_id, source, source_run_id, url, state_id, checksum, reported FROM arrivals`
const FAMILY = `WITH RECURSIVE family (id, run_id) AS (
    SELECT id, run_id FROM runs WHERE run_id = ?1
    UNION SELECT id, run_id FROM runs WHERE root = ?1
    UNION SELECT r.id, r.run_id FROM runs AS r JOIN family ON r.parent = family.run_id
  )`

export class SqliteMoves implements MoveRecords {
  readonly #parts: StoreParts
  readonly #runs: Pick<SqliteRuns, 'restoring'>

  constructor(parts: StoreParts, runs: Pick<SqliteRuns, 'restoring'>) {
    this.#parts = parts
    this.#runs = runs
  }

  begin(move: NewMove, mark: string, audit: readonly AuditFact[]): Promise<boolean> {
    return this.#write((group) => {
      const { q } = group
      if (!this.#freeze(q, move, mark)) return false
      const { jti, run_id, source, target, url, method, by, paused } = move
      q.run(
        `INSERT INTO moves (jti, run_id, source, target, url, method, by, paused, phase)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, 'sending')`,
        ...[jti, run_id, source, target, url, method, by, paused ? 1 : 0],
      )
      q.run(`${FAMILY} INSERT INTO away (run, jti) SELECT id, ?2 FROM family`, run_id, jti)
      this.#parts.chain.append(group, audit)
      return true
    })
  }

  /** Takes the leases of dead processes away, so that they cannot append. */
  #freeze(q: Queries, { run_id: runId }: NewMove, mark: string): boolean {
    const { locks, home } = this.#parts
    const root = runRow(q, runId, home.file)
    assertHere(q, root.id, runId)
    const family = q.all<{ id: number; run_id: string; holder: string | null }>(
      `${FAMILY} SELECT family.id, family.run_id, holder FROM family JOIN progress ON progress.run = family.id`,
      runId,
    )
    for (const { run_id, holder } of family)
      if (holder !== null && locks.isLive(holder)) throw runLocked(run_id, locks.pidOf(q, holder))
    if (this.#mark(q, runId) !== mark) return false
    for (const { id } of family) {
      q.run('UPDATE progress SET epoch = epoch + 1, holder = NULL WHERE run = ?', id)
      q.run('DELETE FROM pauses WHERE run = ?', id)
    }
    return true
  }

  mark(runId: string): Promise<string> {
    return this.#parts.home.read(
      (q) => this.#mark(q, runId),
      () => {
        throw runNotFound(runId)
      },
    )
  }

  #mark(q: Queries, runId: string): string {
    const rows = q.all(
      `${FAMILY} SELECT family.id, seq, (SELECT count(*) FROM decisions WHERE run = family.id) AS decisions
       FROM family JOIN progress ON progress.run = family.id ORDER BY family.id`,
      runId,
    )
    if (rows.length === 0) throw runNotFound(runId)
    return JSON.stringify(rows)
  }

  read(jti: string): Promise<StoredMove | undefined> {
    return this.#move('jti = ?', jti)
  }

  ofRun(runId: string): Promise<StoredMove | undefined> {
    return this.#move(`run_id = ? AND phase <> 'kept'`, runId)
  }

  ofTarget(targetRunId: string): Promise<StoredMove | undefined> {
    return this.#move('target_run_id = ?', targetRunId)
  }

  async storeState(jti: string, { document, state_id, checksum, expires_at }: StoredState): Promise<void> {
    await this.#write(({ q }) =>
      q.run(
        `UPDATE moves SET document = ?, state_id = ?, checksum = ?, expires_at = ?
         WHERE jti = ? AND phase = 'sending' AND document IS NULL`,
        ...[document, state_id, checksum, expires_at, jti],
      ),
    )
  }

  async withdraw(jti: string, { code, why }: MoveFailure): Promise<void> {
    await this.#write(({ q }) =>
      q.run(
        `UPDATE moves SET phase = 'withdrawing', code = ?, why = ? WHERE jti = ? AND phase = 'sending'`,
        ...[code, why, jti],
      ),
    )
  }

  giveAway(jti: string, targetRunId: string | null, audit: readonly AuditFact[]): Promise<boolean> {
    return this.#write((group) => {
      const ended = group.q.run(
        `UPDATE moves SET phase = 'moved', document = NULL, target_run_id = ?
         WHERE jti = ? AND phase IN ('sending', 'withdrawing')`,
        ...[targetRunId, jti],
      )
      if (ended === 1) this.#parts.chain.append(group, audit)
      return ended === 1
    })
  }

  takeBack(jti: string, { code, why }: MoveFailure, audit: readonly AuditFact[]): Promise<boolean> {
    return this.#write((group) => {
      const { q } = group
      const ended = q.run(
        `UPDATE moves SET phase = 'kept', document = NULL, code = ?, why = ?
         WHERE jti = ? AND phase IN ('sending', 'withdrawing')`,
        ...[code, why, jti],
      )
      if (ended === 0) return false
      q.run('DELETE FROM away WHERE jti = ?', jti)
      this.#parts.chain.append(group, audit)
      return true
    })
  }

  arrival(jti: string): Promise<StoredArrival | undefined> {
    return this.#arrival('jti = ?', jti)
  }

  arrivalOf(url: string, sourceRunId: string): Promise<StoredArrival | undefined> {
    return this.#arrival('url = ? AND source_run_id = ?', url, sourceRunId)
  }

  receive(
    arrival: Arrival,
    runs: readonly RestoredRecord[],
    audit: readonly AuditFact[],
  ): Promise<StoredArrival> {
    const restore = this.#runs.restoring(runs)
    return this.#decide(arrival, (group) => {
      restore(group)
      this.#parts.chain.append(group, audit)
    })
  }

  refuse(arrival: Arrival, audit: readonly AuditFact[]): Promise<StoredArrival> {
    return this.#decide(arrival, (group) => this.#parts.chain.append(group, audit))
  }

  async reported(jti: string): Promise<void> {
    await this.#write(({ q }) => q.run('UPDATE arrivals SET reported = 1 WHERE jti = ?', jti))
  }

  /** The first decision about a token counts. @param also in the transaction of a decision that counts */
  #decide(arrival: Arrival, also: (group: Group) => void): Promise<StoredArrival> {
    return this.#write((group) => {
      const { q } = group
      const { jti, state, run_id, source, source_run_id, url, state_id, checksum } = arrival
      const isNew = q.run(
        `INSERT INTO arrivals (jti, state, run_id, source, source_run_id, url, state_id, checksum)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (jti) DO NOTHING`,
        ...[jti, state, run_id, source, source_run_id, url, state_id, checksum],
      )
      if (isNew === 1) also(group)
      const row = q.get<ArrivalRow>(`${ARRIVAL} WHERE jti = ?`, jti)
      if (row === undefined) throw new TypeError('a row that was inserted, or in the way, is there')
      return arrivalOf(row)
    })
  }

  #move(where: string, value: string): Promise<StoredMove | undefined> {
    return this.#parts.home.read(
      (q) => {
        const row = q.get<MoveRow>(`${MOVE} WHERE ${where} ORDER BY n DESC LIMIT 1`, value)
        return row === undefined ? undefined : { ...row, paused: row.paused === 1 }
      },
      () => undefined,
    )
  }

  #arrival(where: string, ...values: readonly string[]): Promise<StoredArrival | undefined> {
    return this.#parts.home.read(
      (q) => {
        const row = q.get<ArrivalRow>(`${ARRIVAL} WHERE ${where} ORDER BY n DESC LIMIT 1`, ...values)
        return row === undefined ? undefined : arrivalOf(row)
      },
      () => undefined,
    )
  }

  #write<T>(act: (group: Group) => T): Promise<T> {
    return this.#parts.group.write(act, { durable: true })
  }
}

type MoveRow = Omit<StoredMove, 'paused'> & { readonly paused: number }
type ArrivalRow = Omit<StoredArrival, 'reported'> & { readonly reported: number }

function arrivalOf(row: ArrivalRow): StoredArrival {
  return { ...row, reported: row.reported === 1 }
}
