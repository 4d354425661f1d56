import { defined } from '../document/defined.ts'
import type { Json } from '../document/json.ts'
import type { PersonsDecision } from './leave-decision.ts'
import type { WaitingCall } from './waiting-calls.ts'

/** A call that needs a person's decision. */
export interface WaitingApproval {
  readonly run_id: string
  readonly agent_id: string
  readonly agent_name: string
  readonly call_id: string
  readonly tool: string
  readonly arguments: Json
  /** `unknown`: the call may have taken effect already, and a person must say whether it did. */
  readonly asks: 'approval' | 'unknown'
  readonly effect: 'read' | 'write'
  readonly endpoint?: string
  readonly method?: string
  readonly reason?: string
  readonly rule?: string
  /** A decision that was already made; it takes effect when the run is resumed. */
  readonly decided?: Pick<PersonsDecision, 'verdict' | 'by' | 'why'>
}

/** Returns a waiting call as data. */
export function waitingCallObject({ run, call, decided }: WaitingCall): WaitingApproval {
  const tool = run.plan.tools.find(({ name }) => name === call.tool)
  return {
    run_id: run.header.run_id,
    agent_id: run.header.agent_id,
    agent_name: run.header.agent_name,
    call_id: call.id,
    tool: call.tool,
    arguments: call.args,
    asks: call.status === 'asking' ? 'approval' : 'unknown',
    effect: tool?.effect ?? 'write',
    ...defined({ endpoint: tool?.endpoint, method: tool?.method, reason: tool?.reason, rule: tool?.rule }),
    ...(decided !== undefined && {
      decided: {
        verdict: decided.verdict,
        by: decided.by,
        ...defined({ why: decided.why }),
      },
    }),
  }
}
