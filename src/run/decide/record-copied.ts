import type { Program } from '../../plan/plan.ts'
import type { Decision, FactOf } from '../event.ts'
import type { CallEntry, RunState } from '../state.ts'

/** Why a person is asked about a write of a run whose record is a copy. */
export const COPIED =
  'the record of this run was put back from an older copy, and the newer one may have sent this call: look where it leads to, then assume its result, deny it or send it'

/**
 * Returns what follows when the record of a run is a copy: the newer record may have sent, or decided, each write that
 * is open here, so a person is asked about it again, and a decision that was made before does not count. After an
 * announced restore the people who are asked know, and the store has removed such decisions.
 */
export function recordCopied(
  { plan }: Pick<Program, 'plan'>,
  { calls }: Pick<RunState, 'calls'>,
  { announced }: FactOf<'record.copied'>,
): Decision {
  if (plan.rehearsal) return {}
  const judged = calls
    .filter((call) => isOpenOnce(call) && !(announced === true && isNotSent(call)))
    .map((call): CallEntry => ({ ...call, status: 'unknown', why: COPIED }))
  return judged.length === 0 ? {} : { judged }
}

/** Returns whether the newer record of a copied run may have sent a new call, which must not be repeated. */
export function mayBeSentElsewhere(
  { plan }: Program,
  { copied }: Pick<RunState, 'copied'>,
  { effect, agent }: Pick<CallEntry, 'effect' | 'agent'>,
): boolean {
  return copied !== undefined && !plan.rehearsal && effect === 'once' && agent === undefined
}

function isOpenOnce({ effect, agent, status }: CallEntry): boolean {
  if (effect !== 'once' || agent !== undefined) return false
  return isNotSent({ status }) || status === 'sent' || status === 'unknown'
}

/** It waits for a person who has not decided yet. */
function isNotSent({ status }: Pick<CallEntry, 'status'>): boolean {
  return status === 'asking' || status === 'input_required'
}
