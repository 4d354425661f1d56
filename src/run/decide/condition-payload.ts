import { defined } from '../../document/defined.ts'
import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import type { Plan } from '../../plan/plan.ts'
import type { RunState } from '../state.ts'

/**
 * Returns the payload for the conditions of a run (AAIF §5): `input`, `task` (the input's own `task`, else
 * the input), `output` so far, `agent` (id, name, version), `iteration` and `turn`. Members of an object
 * input are top-level as well, unless they have one of these names.
 */
export function conditionPayload(plan: Plan, state: RunState, input: Json, output: Json): JsonObject {
  const members = isObject(input) ? input : {}
  return {
    ...members,
    input,
    task: members.task ?? input,
    output,
    agent: {
      id: plan.agent_id,
      name: plan.agent_name,
      ...defined({ version: plan.agent_version }),
    },
    iteration: state.iteration,
    turn: Math.max(1, state.turn),
  }
}
