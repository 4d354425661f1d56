import {
  answer,
  id,
  integer,
  list,
  moment,
  object,
  oneOf,
  request,
  ruled,
  type Typed,
  text,
} from '../../http/schema.ts'
import type { Page, PageOf } from '../../run/record/records.ts'
import {
  type CreatedRule,
  type RuleMaking,
  type RuleOfDecision,
  type RuleView,
  ruleTerms,
} from '../inbox/decision.ts'

/** How long a rule is valid, and for what reason. */
export type RuleTerms = Omit<RuleOfDecision, 'what'>

const newRuleMembers = {
  agent_id: id('The agent; the tool is one of its own or of its sub-agents.'),
  version: id('Whose tools the rule is for: a version or a label. Default: the active one.'),
  ...ruleTerms,
}

const OF_A_TOOL = 'The rule covers calls of a tool that the agent has.'

export const newRule = ruled(request(newRuleMembers, ['agent_id', 'what']), OF_A_TOOL)

export type NewRule = Typed<typeof newRule>

export const previewedRule = ruled(
  request(
    { ...newRuleMembers, calls: integer('How many decided calls are compared; default 100.', 1, 1000) },
    ['agent_id', 'what'],
  ),
  OF_A_TOOL,
)

export type PreviewRule = Typed<typeof previewedRule>

const question = answer('An open question that the rule would answer.', {
  id: text('The approval.'),
  run_id: text('The run.'),
  call_id: text('The call.'),
  arguments: object('Its arguments.'),
})

/** As recorded: personal data in the arguments may be replaced by placeholders. */
export type ComparedQuestion = Typed<typeof question>

const pastCall = answer(
  'A decided call.',
  {
    run_id: text('The run.'),
    call_id: text('The call.'),
    at: moment('When it was made.'),
    arguments: object('Its arguments.'),
    decided: answer('The decision.', { verdict: text('The verdict.'), by: text('Who decided.') }),
    why_not: text('Why the rule does not cover it.'),
  },
  ['run_id', 'call_id', 'at', 'arguments'],
)

export const rulePreview = answer('The effect that a rule would have.', {
  what: text('The rule.'),
  agent_id: text('The agent that has the tool.'),
  agent_name: text('Its name.'),
  until: moment('When the rule would expire.'),
  gate: oneOf(
    ['allow', 'ask', 'deny'],
    'What the plan does with calls of the tool: a rule matters for `ask`.',
  ),
  open: answer('Open questions about this tool.', {
    questions: integer('How many are open; at most 1000 are compared.', 0),
    covered: integer('How many the rule would answer now.', 0),
    covered_questions: list(question, { description: 'The first 20 of these.' }),
  }),
  past: answer('Decided calls of this tool, of the newest 500 runs.', {
    runs: integer('How many runs were searched.', 0),
    calls: integer('How many decided calls were compared.', 0),
    covered: integer('How many of them the rule covers.', 0),
    denied: integer('How many of the covered calls were denied.', 0),
    covered_calls: list(pastCall, { description: 'The newest 20.' }),
    other_calls: list(pastCall, { description: 'The newest 20 that the rule does not cover.' }),
  }),
})
export type RulePreviewView = Typed<typeof rulePreview>

/** The standing rules of an organisation, and its other standing grants. Changes are audited. */
export interface Rules extends RuleMaking {
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
  /** Revokes a grant, with immediate effect. @throws GRANT_NOT_FOUND */
  revoke(id: string): Promise<void>
}
