import type { MovedTo } from '../../run/record/moved-to.ts'
import { plainLine } from '../terminal/plain-text.ts'

/** Returns the new owner of a run, and its id there. */
export function movedText({ owner, run_id }: Omit<MovedTo, 'phase'>): string {
  return plainLine(run_id === null ? owner : `${owner}, run ${run_id}`, 400)
}
