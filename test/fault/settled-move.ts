import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MovingPlatform } from '../platform/moving-site.ts'

/** A move, as its row at the sender says. */
export interface Move {
  readonly phase: string
  readonly jti: string
  readonly target_run_id: string | null
  readonly code: string | null
}

/** Waits until the move of a run has ended, if it has begun. */
export async function settledMove(a: MovingPlatform, run: string): Promise<readonly Move[]> {
  for (const end = performance.now() + 30_000; ; ) {
    const moves = (await a.sql(
      'SELECT phase, jti, target_run_id, code, ended_at FROM waybill.moves WHERE run_id = $1 ORDER BY created_at DESC',
      [run],
    )) as unknown as readonly (Move & { readonly ended_at: Date | null })[]
    if (moves.every(({ ended_at }) => ended_at !== null)) return moves
    assert.ok(performance.now() < end, `the move does not end: ${JSON.stringify(moves)}`)
    await sleep(50)
  }
}

/** Returns who has the run, by what both databases say. */
export async function ownerOf(a: MovingPlatform, b: MovingPlatform, run: string, move: Move | undefined) {
  const [here] = await a.sql('SELECT phase FROM waybill.progress WHERE run_id = $1', [run])
  const there = await b.sql(
    `SELECT r.run_id, p.phase FROM waybill.arrivals AS r JOIN waybill.progress AS p USING (org, run_id)
     WHERE r.source_run_id = $1 AND r.state = 'owned'`,
    [run],
  )
  assert.ok(there.length <= 1, `${there.length} imports`)
  assert.equal(here?.phase === 'moved', there.length === 1, `${here?.phase} here, ${there.length} there`)
  assert.notEqual(here?.phase, 'moving')
  const target = String(there[0]?.run_id)
  if (there.length === 1) assert.equal(move?.target_run_id, target)
  return { target, isMoved: there.length === 1 }
}
