import { isObject, type Json, type JsonObject } from '../document/json.ts'
import type { AgentState } from '../spec/aaif/generated/state.ts'
import { withStateChecksum } from '../trust/checksum.ts'
import { WAYBILL_MEMBER } from './waybill-member.ts'

/**
 * Member of a state that moves: the members of the sender's organisation who have caused the run, so that they may not
 * decide about its calls at the receiver either. Beside `x-waybill`, which an earlier version would not read with it.
 */
export const CAUSERS_MEMBER = 'x-waybill-causers'

/** Most names that are read, and the longest. */
const MOST = 1000
const LONGEST = 1024

/** Returns a state that names who has caused its run. */
export function withCausers(document: AgentState, causers: readonly string[]): AgentState {
  return withStateChecksum({
    ...(document as unknown as JsonObject),
    [CAUSERS_MEMBER]: [...causers],
  }) as unknown as AgentState
}

/** Returns the causers that a state names; of a member that cannot be read, none. */
export function sentCausers(document: AgentState): readonly string[] {
  const member = document[CAUSERS_MEMBER]
  if (!Array.isArray(member) || member.length > MOST) return []
  return member.filter((one): one is string => typeof one === 'string' && one !== '' && one.length <= LONGEST)
}

/** Returns the runs that a state and the states within it come from, as far as they say: in their members and receipts. */
export function originRuns(document: AgentState): readonly string[] {
  const found = new Set<string>()
  const read = (state: Json | undefined) => {
    if (state === undefined || !isObject(state)) return
    // As it is, because a member that is not valid is not used, and still says where the state comes from.
    const member = state[WAYBILL_MEMBER]
    const { receipts, documents } = member !== undefined && isObject(member) ? member : {}
    for (const one of [state, ...listIn(receipts)])
      for (const id of isObject(one) ? [one.run_id, one.root_run_id] : [])
        if (typeof id === 'string' && id.length <= LONGEST) found.add(id)
    for (const one of listIn(documents)) read(one)
  }
  read(document as unknown as Json)
  return [...found]
}

function listIn(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}
