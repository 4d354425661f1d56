import type { MovedTo } from '../../run/record/moved-to.ts'
import { plainLine } from '../terminal/plain-text.ts'

/** Returns the new owner of a run, and its id there. */
export function movedText({ owner, run_id, receiver }: Omit<MovedTo, 'phase'>): string {
  const where = run_id === null ? owner : `${owner}, run ${run_id}`
  return plainLine(receiver === undefined ? where : `${where}, which does not know the run any more`, 400)
}
