import { defined } from '../document/defined.ts'
import type { JsonObject } from '../document/json.ts'
import type { Plan } from '../plan/plan.ts'
import type { ServerQuestion } from '../run/elicitation.ts'
import type { CallEntry } from '../run/state.ts'
import { type Asks, asksOf } from '../run/unsettled.ts'
import type { PersonsDecision } from './leave-decision.ts'
import { serverOf } from './server-of.ts'
import type { WaitingCall } from './waiting-calls.ts'

/** A call that needs a person's decision. */
export interface WaitingApproval {
  readonly run_id: string
  readonly agent_id: string
  readonly agent_name: string
  readonly call_id: string
  readonly tool: string
  readonly arguments: JsonObject
  /**
   * `unknown`: the call may have taken effect already, and a person must say whether it did. `input`: the server of the
   * tool asks a person something before it makes the call.
   */
  readonly asks: Asks
  /** Present if the server asks. */
  readonly kind?: 'elicitation'
  /** The server that asks: its name in the configuration, else its host. */
  readonly server?: string
  /** What it asks; the texts are those of the server. */
  readonly questions?: readonly ServerQuestion[]
  readonly effect: 'read' | 'write'
  readonly endpoint?: string
  readonly method?: string
  /** Why a person is asked. */
  readonly reason?: string
  readonly rule?: string
  /** A decision that was already made; it takes effect when the run is resumed. */
  readonly decided?: Pick<PersonsDecision, 'verdict' | 'by' | 'why'>
}

/** Returns what the server of a call asks, as members of a view; nothing if it asks nothing. */
export function elicitationOf(
  { status, elicitation, tool }: CallEntry,
  { tools }: Pick<Plan, 'tools'>,
): Pick<WaitingApproval, 'kind' | 'server' | 'questions'> {
  if (status !== 'input_required' || elicitation === undefined) return {}
  const server = serverOf(tools.find(({ name }) => name === tool))
  return { kind: 'elicitation', server, questions: elicitation.questions }
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
    asks: asksOf(call),
    ...elicitationOf(call, plan),
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
