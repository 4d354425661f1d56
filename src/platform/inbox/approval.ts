import type { JsonObject } from '../../document/json.ts'
import type { ServerQuestion } from '../../run/elicitation.ts'
import type { Page, PageOf } from '../../run/record/records.ts'
import type { Asks } from '../../run/unsettled.ts'
import type { PersonsDecision } from '../../session/leave-decision.ts'
import type { Votes } from './inbox.ts'

/** A call that waits for a person. */
export interface ApprovalView {
  readonly id: string
  /** `elicitation`: the server of the tool asks a person something before it makes the call. */
  readonly kind: 'call' | 'elicitation'
  readonly run_id: string
  readonly call_id: string
  readonly agent_id: string
  readonly agent_name: string
  /** Whom the client says that the run serves. */
  readonly user?: string
  readonly session?: string
  /** The member who started the run. */
  readonly on_behalf_of?: string
  readonly tool: string
  readonly arguments: JsonObject
  /** `sha256:` of the question: run, call, tool, arguments, and which question of the call it is. */
  readonly digest: string
  readonly asks: Asks
  /** The server that asks: its name in the configuration, else its host. */
  readonly server?: string
  readonly questions?: readonly ServerQuestion[]
  readonly why?: string
  readonly asked_at?: string
  /** The approval policy, or null. Absent: it is not determined yet, which takes a second. */
  readonly policy?: string | null
  /** Present if several people must agree. In the answer to a decision: it was recorded as a vote. */
  readonly votes?: Votes
  /** Why a standing rule that covers the call does not decide it. */
  readonly hint?: string
}

export interface ApprovalQuery extends Page {
  readonly run_id?: string
  readonly agent_id?: string
  readonly user?: string
  readonly tool?: string
}

export interface Approvals {
  list(query: ApprovalQuery): Promise<PageOf<ApprovalView>>
  /**
   * @param digest of the question that the person has seen, needed to edit a call; or of the edited arguments that votes
   * are for, to approve them
   * @throws APPROVAL_NOT_FOUND; APPROVAL_DECIDED if another decision was first; APPROVAL_VERDICT_INVALID,
   * APPROVAL_CHANGED, APPROVAL_VOTED_OTHERWISE, ARGUMENTS_REFUSED, ANSWER_REFUSED; STARTER_MAY_NOT_DECIDE; PERSON_REQUIRED for a service account
   */
  decide(
    id: string,
    decision: Omit<PersonsDecision, 'by'> & { readonly digest?: string },
  ): Promise<ApprovalView>
}
