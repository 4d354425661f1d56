import type { FirstFact, NewRun } from '../../run/record/records.ts'
import type {
  PlannedAgent,
  ReceivingRun,
  RestoredParts,
  RestoreRunOptions,
  StartOptions,
} from '../../session/agent-sessions.ts'
import type { AgentState } from '../../spec/aaif/generated/state.ts'
import type { ArrivedConversation } from '../../state/arriving-conversation.ts'
import type { SentOutline } from '../../state/sent-outline.ts'
import type { PlanSettings } from './plan-settings.ts'
import type { StoredVersion } from './stored-version.ts'

/** What a new run is planned from. */
export interface PlanRequest extends PlanSettings {
  readonly org: string
  readonly agent_id: string
  /** Who starts it, for the audit log; default: its user. */
  readonly by?: string
}

/** A run that is planned and not stored. */
export interface PlannedRun {
  readonly run: NewRun
  /** The version of the agent; the run keeps it until it ends. */
  readonly version: string
  /** `runtime.queue` of the definition. */
  readonly queue?: string
}

/** Plans runs of uploaded agents with the operator's settings. Implemented where adapters are constructed. */
export interface Planner {
  /** @throws AGENT_NOT_FOUND, VERSION_NOT_FOUND, AGENT_NOT_ACTIVE, INPUT_INVALID, BUDGET_EXHAUSTED; errors of planning */
  newRun(request: PlanRequest, first: FirstFact, options: Omit<StartOptions, 'durable'>): Promise<PlannedRun>
  /**
   * Plans an agent as for a new run, and returns what is to be stored for one that continues an Agent State.
   * @param request.definition hash of the definition that the state was captured with: its version is used if the
   * organisation has it; else the named one, or the active one
   * @throws as `newRun`, except for its input and budgets; STATE_NOT_RESUMABLE, STATE_POSITION_UNKNOWN
   */
  restored(
    request: PlanRequest & { readonly definition?: string },
    document: AgentState,
    options: RestoreRunOptions,
    conversation?: ArrivedConversation | SentOutline,
  ): Promise<RestoredParts & { readonly version: string }>
  /** Plans it for a state whose conversation is read while it arrives. @throws as `newRun`, except for its input and budgets */
  receiving(
    request: PlanRequest & { readonly definition?: string },
    options: RestoreRunOptions,
  ): Promise<ReceivingRun & { readonly version: string }>
  /** Returns whether the active version of another agent of the organisation declares this one as its sub-agent. */
  isSubagent(org: string, agentId: string): Promise<boolean>
  /**
   * Plans an agent as for a new run, which is not made.
   * @param request.upload a definition that is not stored
   * @throws as `newRun`, except for its input and budgets
   */
  agent(
    request: PlanRequest & { readonly upload?: StoredVersion },
  ): Promise<Pick<PlannedAgent, 'plans' | 'definitions'>>
}
