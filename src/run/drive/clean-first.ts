import { wellFormed } from '../../document/well-formed.ts'
import type { Program } from '../../plan/plan.ts'
import { initialState } from '../initial-state.ts'
import type { FirstFact } from '../record/records.ts'
import type { DrivePorts } from './drive-ports.ts'

/**
 * Returns the first fact of a run as it may be stored before the run begins: without secrets, and with personal data
 * handled as the plan says. Cleaning it again when the run begins changes nothing.
 */
export function cleanFirst(
  first: FirstFact,
  program: Program,
  runId: string,
  { redact, pii }: Pick<DrivePorts, 'redact' | 'pii'>,
): FirstFact {
  const whole = wellFormed(first)
  const redacted = redact?.(whole) ?? whole
  const state = initialState(runId, program.plan.agent_id, program.hash)
  const clean = pii?.clean(redacted, program, state) ?? redacted
  if (clean.type !== 'run.started') throw new Error(`a first fact became ${clean.type}`)
  return clean
}
