import type { JsonObject } from '../../document/json.ts'
import type { Gate } from '../../plan/plan.ts'
import type { Grant } from '../../run/record/grant.ts'
import type { Page, PageOf } from '../../run/record/records.ts'
import type { PersonsDecision } from '../../session/leave-decision.ts'
import type { RulePreview } from '../../session/preview-rule.ts'

/** How long a rule is valid, and for what reason. */
export interface RuleTerms {
  /** RFC 3339; default: in an hour. At most 90 days ahead. */
  readonly until?: string
  /** How many calls it may allow; default: without limit. */
  readonly uses?: number
  /** It remains valid when another version of the agent is uploaded. Default: false. */
  readonly any_version?: boolean
  readonly why?: string
}

/** A standing rule for the calls of one agent or one of its sub-agents. */
export interface NewRule extends RuleTerms {
  readonly agent_id: string
  /** Whose plan is used: a version or a label; default: the active one. */
  readonly version?: string
  /** Such as `send_email to=*@ours.example`. */
  readonly what: string
}

export interface PreviewRule extends NewRule {
  /** How many of the last decided calls are compared. Default: 100. */
  readonly calls?: number
}

/** A rule that is made with the approval of a call. */
export interface RuleOfDecision extends RuleTerms {
  /** Default: the tool with the arguments of the call. */
  readonly what?: string
}

/** A standing grant, as lists show it. */
export interface RuleView extends Omit<Grant, 'tools' | 'called_how'> {
  readonly in_force: boolean
}

/** An open question, and whether a rule would answer it. */
export interface ComparedQuestion {
  /** The approval. */
  readonly id: string
  readonly run_id: string
  readonly call_id: string
  /** As recorded: personal data may be replaced by placeholders. */
  readonly arguments: JsonObject
}

export interface RulePreviewView {
  readonly what: string
  /** The agent that has the tool: the one that was named, or a sub-agent. */
  readonly agent_id: string
  readonly agent_name: string
  readonly until: string
  /** What the plan does with calls of the tool. A rule matters for `ask`. */
  readonly gate: Gate
  readonly open: {
    /** How many questions about this tool of the agent are open: the first 1000 are compared. */
    readonly questions: number
    readonly covered: number
    /** The first 20 of those that the rule would answer. */
    readonly covered_questions: readonly ComparedQuestion[]
  }
  /** The last decided calls. */
  readonly past: RulePreview
}

export interface CreatedRule extends RuleView {
  /** How many open questions it covers: the runs answer them with it. */
  readonly covers: number
}

/**
 * The standing rules of an organisation, and its other standing grants. Changes are audited.
 * @template Approval a decided call
 */
export interface Rules<Approval> {
  /** Lists grants, oldest first. */
  list(page: Page): Promise<PageOf<RuleView>>
  /**
   * Makes a rule. It replaces one with the same text for the same agent and version.
   * @param id the same for a repeated request
   * @throws PERSON_REQUIRED; AGENT_NOT_FOUND and other errors of planning; CALL_RULE_INVALID, CALL_RULE_UNKNOWN_TOOL,
   * CALL_RULE_UNKNOWN_ARGUMENT, CALL_RULE_AMBIGUOUS, UNTIL_INVALID, RULE_LIMIT
   */
  create(request: NewRule, id?: string): Promise<CreatedRule>
  /** Compares a rule with the open questions and with decided calls, without making it. @throws as `create` */
  preview(request: PreviewRule): Promise<RulePreviewView>
  /**
   * Approves a call, and makes a rule for calls like it. Without the approval there is no rule.
   * @param id of the rule, the same for a repeated request
   * @throws as `Approvals.decide` and `create`; CALL_RULE_OTHER_CALL if the rule does not cover this call
   */
  approve(
    approval: string,
    decision: Omit<PersonsDecision, 'by'> & { readonly digest?: string },
    rule: RuleOfDecision,
    id?: string,
  ): Promise<Approval & { readonly rule: CreatedRule }>
  /** Revokes a grant, with immediate effect. @throws GRANT_NOT_FOUND */
  revoke(id: string): Promise<void>
}
