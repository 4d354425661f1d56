import { defined } from '../../document/defined.ts'
import type { RunHeader } from './run-header.ts'

/** In whose name a run acts: every audit entry about it has these. */
export type ActingRun = Pick<RunHeader, 'run_id' | 'user' | 'on_behalf_of'>

/** Returns the members of an audit entry that say for whom an agent has acted. */
export function actingFor({ user, on_behalf_of }: ActingRun) {
  return defined({ user, on_behalf_of })
}
