import { defined } from '../document/defined.ts'
import type { JsonObject } from '../document/json.ts'
import type { Plan } from '../plan/plan.ts'
import type { CallEntry } from '../run/state.ts'
import type { PersonsDecision } from './leave-decision.ts'
import type { WaitingCall } from './waiting-calls.ts'

/** A call that needs a person's decision. */
export interface WaitingApproval {
  readonly run_id: string
  readonly agent_id: string
  readonly agent_name: string
  readonly call_id: string
  readonly tool: string
  readonly arguments: JsonObject
  /** `unknown`: the call may have taken effect already, and a person must say whether it did. */
  readonly asks: 'approval' | 'unknown'
  readonly effect: 'read' | 'write'
  readonly endpoint?: string
  readonly method?: string
  /** Why a person is asked. */
  readonly reason?: string
  readonly rule?: string
  /** A decision that was already made; it takes effect when the run is resumed. */
  readonly decided?: Pick<PersonsDecision, 'verdict' | 'by' | 'why'>
}

/** Returns a call that needs a person's decision as data. @param plan of the agent that makes the call */
export function waitingApproval(runId: string, plan: Plan, call: CallEntry): WaitingApproval {
  const tool = plan.tools.find(({ name }) => name === call.tool)
  return {
    run_id: runId,
    agent_id: plan.agent_id,
    agent_name: plan.agent_name,
    call_id: call.id,
    tool: call.tool,
    arguments: call.args,
    asks: call.status === 'asking' ? 'approval' : 'unknown',
    effect: tool?.effect ?? 'write',
    ...defined({ endpoint: tool?.endpoint, method: tool?.method }),
    ...defined({ reason: call.why ?? tool?.reason, rule: tool?.rule }),
  }
}

/** Returns a waiting call as data. */
export function waitingCallObject({ run, call, decided }: WaitingCall): WaitingApproval {
  return {
    ...waitingApproval(run.header.run_id, run.plan, call),
    ...(decided !== undefined && {
      decided: {
        verdict: decided.verdict,
        by: decided.by,
        ...defined({ why: decided.why }),
      },
    }),
  }
}
