import { WaybillError } from '../document/issue.ts'
import type { AgentState } from '../spec/aaif/generated/state.ts'

/**
 * Refuses to take over a run that its source may still drive: a run is captured for a move with the status `paused` or
 * `migrating` (AAIF §8.2 step 1). A run that has ended is refused for that reason, by `restoreState`.
 * @throws STATE_NOT_PAUSED
 */
export function assertPaused({ status }: Pick<AgentState, 'status'>): void {
  switch (status) {
    case 'paused':
    case 'migrating':
    case 'completed':
    case 'failed':
      return
    case 'running':
    case 'awaiting_approval':
    case 'awaiting_tool_result':
      throw new WaybillError('STATE_NOT_PAUSED', {
        fault: 'refused',
        at: '/status',
        message: `the state has a migration token, but its run was ${status} when it was captured`,
        hint: 'pause the run, capture it with the status "paused" or "migrating", and send it with a new token',
        rule: 'AAIF-8.2-01',
      })
  }
}
