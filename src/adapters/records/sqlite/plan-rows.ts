import { crc32 } from 'node:zlib'
import { sha256OfCanonical } from '../../../document/canonical.ts'
import type { Json } from '../../../document/json.ts'
import type { Plan } from '../../../plan/plan.ts'
import { recordDamaged } from '../../../run/record/record-errors.ts'
import type { Queries } from './queries.ts'

/** Each plan is stored once, by the hash of its canonical form, and shared by runs. */
export class PlanRows {
  /** A plan is frozen and shared by many runs, so its hash is computed once. */
  readonly #hashes = new WeakMap<Plan, string>()

  hashOf(plan: Plan): string {
    let hash = this.#hashes.get(plan)
    if (hash === undefined) {
      hash = sha256OfCanonical(plan as unknown as Json)
      this.#hashes.set(plan, hash)
    }
    return hash
  }

  /** @param run the id of its row */
  keep(q: Queries, run: number, plans: readonly Plan[]): void {
    for (const plan of plans) {
      const hash = this.hashOf(plan)
      if (q.get('SELECT 1 FROM plans WHERE hash = ?', hash) === undefined) {
        const body = JSON.stringify(plan)
        q.run('INSERT INTO plans VALUES (?, ?, ?)', hash, body, crc32(body))
      }
      q.run('INSERT OR IGNORE INTO run_plans VALUES (?, ?)', hash, run)
    }
  }

  /** Removes the references of a removed run, and plans without other references. */
  drop(q: Queries, run: number): void {
    const rows = q.all<{ hash: string }>('SELECT hash FROM run_plans WHERE run = ?', run)
    q.run('DELETE FROM run_plans WHERE run = ?', run)
    for (const { hash } of rows) {
      q.run(
        'DELETE FROM plans WHERE hash = ? AND NOT EXISTS (SELECT 1 FROM run_plans WHERE hash = ?)',
        hash,
        hash,
      )
    }
  }
}

/** @throws RECORD_DAMAGED if a plan is missing or was changed */
export function readPlans(
  q: Queries,
  runId: string,
  hashes: readonly string[],
  file: string,
): readonly Plan[] {
  return hashes.map((hash) => {
    const row = q.get<{ body: string; checksum: number }>(
      'SELECT body, checksum FROM plans WHERE hash = ?',
      hash,
    )
    if (row === undefined) throw recordDamaged(runId, `its plan ${hash.slice(0, 12)} is missing`, { file })
    if (crc32(row.body) !== row.checksum)
      throw recordDamaged(runId, `its plan ${hash.slice(0, 12)} was changed`, { file })
    try {
      return JSON.parse(row.body) as Plan
    } catch (cause) {
      throw recordDamaged(runId, `its plan ${hash.slice(0, 12)} is not valid JSON`, { file, cause })
    }
  })
}
