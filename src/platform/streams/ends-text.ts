import type { RunEvent } from '../../run/event.ts'
import { stops } from '../../run/turn.ts'

/**
 * Returns true if no text of a model that was being written before this event continues after it: the answer is on
 * record, or the question was given up. Writers and readers of texts use the same rule.
 */
export function endsText({ fact, decision }: RunEvent): boolean {
  if (decision.attempt !== undefined || decision.abort !== undefined || stops(decision)) return true
  switch (fact.type) {
    case 'run.started':
    case 'user.said':
    case 'model.answered':
    case 'model.failed':
    case 'run.paused':
    case 'run.resumed':
    case 'run.cancelled':
      return true
    default:
      return false
  }
}
