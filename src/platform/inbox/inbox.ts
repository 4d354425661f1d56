import type { Json, JsonObject } from '../../document/json.ts'
import type { QuestionAnswers, ServerQuestion } from '../../run/elicitation.ts'
import type { Page, PageOf } from '../../run/record/records.ts'
import type { Asks } from '../../run/unsettled.ts'
import type { PersonsDecision } from '../../session/leave-decision.ts'
import type { NewPolicy, PolicyView } from '../policies/policy.ts'

export interface Vote {
  readonly by: string
  readonly at: string
  /** Absent: the vote was given at an earlier version, which did not keep it. */
  readonly verdict?: PersonsDecision['verdict']
  /** Of the question with the arguments that the vote is for: an approval that names it agrees to them. */
  readonly digest?: string
  readonly note?: string
  /** Edited ones. Absent: those of the question. */
  readonly arguments?: JsonObject
  readonly result?: Json
  /** To the questions of a server. */
  readonly answers?: QuestionAnswers
}

export interface Votes {
  readonly needed: number
  readonly given: readonly Vote[]
}

/** What is asked about a call: the members of `ApprovalView` that are used here. */
export interface AskedCall {
  readonly id: string
  readonly run_id: string
  readonly call_id: string
  readonly agent_name: string
  readonly tool: string
  readonly arguments: JsonObject
  readonly digest: string
  readonly asks: Asks
  /** Of a question of a server. */
  readonly server?: string
  readonly questions?: readonly ServerQuestion[]
  readonly why?: string
}

/** Applies the policies of questions to decisions. */
export interface Ballot {
  /**
   * Applies the policy of a question to a valid decision, before the decision is stored.
   * @param decision as it would be stored
   * @param how.explicit the person has named the digest of what is decided
   * @param how.agrees the decision is what others have voted for: its texts are theirs
   * @returns the votes if more people must agree: then the decision was recorded as a vote, and must not be stored
   * @throws STARTER_MAY_NOT_DECIDE; APPROVAL_SAME_PERSON; APPROVAL_VOTED_OTHERWISE; APPROVAL_MOVED_ON
   */
  cast(
    view: AskedCall,
    decision: Omit<PersonsDecision, 'by'>,
    how: { readonly explicit: boolean; readonly agrees: boolean },
  ): Promise<Votes | undefined>
  /** Returns the edited arguments with this digest that votes are for. */
  edited(view: AskedCall, digest: string): Promise<JsonObject | undefined>
}

/** A message to one receiver about a question. */
export interface Notified {
  /** A mail address, or `webhook ID`. */
  readonly to: string
  /** `opened`, `reminded 1` and so on, `escalated` or `expired`. */
  readonly slot: string
  readonly at: string
  readonly state: 'pending' | 'sent' | 'failed' | 'dropped'
  readonly attempts: number
  /** Why the last attempt failed, as a code. */
  readonly error: string | null
}

/** A question with its history. */
export interface QuestionView extends AskedCall {
  readonly state: 'open' | 'closed'
  readonly opened_at: string
  readonly closed_at: string | null
  /** The verdict, or `ended` if the run continued or ended without one. */
  readonly outcome: string | null
  readonly closed_by: string | null
  readonly policy: string | null
  readonly votes: Votes
  /** Why a standing rule that covers the call does not decide it. */
  readonly hint?: string
  /** Users who may not decide. */
  readonly excluded: readonly string[]
  readonly remind_at: string | null
  readonly escalate_at: string | null
  readonly expires_at: string | null
  readonly notified: readonly Notified[]
}

/** The policies of an organisation for the questions of its runs, and the history of questions. Changes are audited. */
export interface Inbox {
  /** In the order in which they are tried. */
  policies(page: Page): Promise<PageOf<PolicyView>>
  /**
   * Adds a policy, or replaces it. Open questions keep theirs.
   * @throws MEMBER_NOT_FOUND, MEMBER_WITHOUT_MAIL, TEAM_NOT_FOUND, WEBHOOK_NOT_FOUND, MAIL_NOT_CONFIGURED,
   * POLICY_LIMIT; REQUEST_INVALID for settings that do not fit together
   */
  setPolicy(name: string, policy: NewPolicy): Promise<PolicyView>
  /** @throws POLICY_NOT_FOUND */
  removePolicy(name: string): Promise<void>
  /** @throws APPROVAL_NOT_FOUND, RUN_NOT_FOUND */
  question(id: string): Promise<QuestionView>
}
