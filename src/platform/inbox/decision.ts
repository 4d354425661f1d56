import type { JsonObject } from '../../document/json.ts'
import type { Problem } from '../../http/problem.ts'
import { problem } from '../../http/problem-schema.ts'
import {
  also,
  answer,
  anything,
  flag,
  id,
  integer,
  kinds,
  list,
  type Members,
  moment,
  object,
  oneOf,
  request,
  ruled,
  type SchemaOf,
  type Typed,
  text,
} from '../../http/schema.ts'
import type { QuestionAnswers } from '../../run/elicitation.ts'
import type { PersonsDecision } from '../../session/leave-decision.ts'
import { type ApprovalView, approvalView } from './approval.ts'

/** What a rule allows, and for how long. */
export const ruleTerms = {
  what: ruled(
    text('The tool, and patterns for its arguments, such as `send_email to=*@ours.example`.', {
      minLength: 1,
      maxLength: 4000,
      examples: ['send_email to=*@ours.example'],
    }),
    'It names a tool of the agent, and arguments of this tool.',
  ),
  until: ruled(
    moment('When it expires: at most 90 days ahead; default: in an hour.'),
    'It is in the next 90 days.',
  ),
  uses: integer('How many calls it allows at most.', 1, 1_000_000),
  any_version: flag('Remains valid for other versions of the agent. Default: false.'),
  why: text('The reason.', { maxLength: 2000 }),
}

/** The rule that is made with an approval. */
export const ruleOfDecision = also(request(ruleTerms), {
  description: 'Makes a standing rule with the approval. Without `what`, for exactly these arguments.',
})
export type RuleOfDecision = Typed<typeof ruleOfDecision>

const GRANT = {
  id: text('Names the grant.'),
  kind: oneOf(['host', 'secret', 'call'], 'What it permits.'),
  what: text('The host, the secret at a host, or the rule for calls.'),
  agent_id: text('The agent; absent: every agent.'),
  agent_name: text('Its name.'),
  definition_hash: text('SHA-256 of the version it is for; absent: every version.'),
  endpoint: text('The address of the tool.'),
  until: text('Valid until this moment; absent: until it is revoked.'),
  uses_left: integer('Remaining uses; absent: without limit.', 0),
  in_force: flag('Whether it permits anything now.'),
  by: text('Who gave it.'),
  at: text('When it was given.'),
  why: text('The reason.'),
}
const GRANT_REQUIRED = ['id', 'kind', 'what', 'in_force', 'by', 'at'] as const

export const ruleView = answer('A standing grant.', GRANT, GRANT_REQUIRED)

export type RuleView = Typed<typeof ruleView>

export const createdRule = answer(
  'A new rule.',
  { ...GRANT, covers: integer('How many open questions it covers. Their runs answer them with it.', 0) },
  [...GRANT_REQUIRED, 'covers'],
)
export type CreatedRule = Typed<typeof createdRule>

const digest = text('Of the question that was seen, or of a vote that is approved; another one is refused.', {
  pattern: '^sha256:[0-9a-f]{64}$',
})

const questionAnswer = request(
  {
    action: oneOf(['accept', 'decline', 'cancel'], '`cancel`: no person has decided.'),
    content: object('Of an accepted form: its fields.'),
  },
  ['action'],
)

const answers: SchemaOf<QuestionAnswers> = {
  type: 'object',
  description: 'The answers to all questions, by their keys.',
  additionalProperties: questionAnswer,
}

/** @param which begins the name of each kind in the OpenAPI document */
function decisionOf<S extends Members, const R extends keyof S & string>(
  which: string,
  shared: S,
  needed: readonly R[],
) {
  return ruled(
    kinds(
      'verdict',
      '`edit` approves with other arguments; `answer` answers what a tool server asks, and `deny` declines it; `resend` and `assume` answer a call whose outcome is unknown.',
      {
        approve: { title: `${which}ApproveDecision`, properties: { rule: ruleOfDecision } },
        edit: {
          title: `${which}EditDecision`,
          properties: { arguments: object('All arguments of the call.') },
          required: ['arguments', 'digest'],
        },
        answer: {
          title: `${which}AnswerDecision`,
          properties: {
            answers,
            content: object('Where the server asks one question: the fields of its form, which is accepted.'),
          },
        },
        deny: { title: `${which}DenyDecision` },
        resend: { title: `${which}ResendDecision` },
        assume: {
          title: `${which}AssumeDecision`,
          properties: { result: anything('The result of the call.') },
        },
      },
      { ...shared, digest, note: text('Why; the record contains it.', { maxLength: 2000 }) },
      needed,
    ),
    'The verdict fits what the question asks, edited arguments fit the tool, and answers fit the forms of the server.',
  )
}

export const decision = decisionOf('', {}, [])
export type Decision = Typed<typeof decision>

const listedDecision = decisionOf('Listed', { id: id('The approval.') }, ['id'])
export type ListedDecision = Typed<typeof listedDecision>

export const decisions = request({ items: list(listedDecision, { minItems: 1, maxItems: 100 }) }, ['items'])

/** A decided call; with the rule that was made with it. */
export const approvedCall: SchemaOf<ApprovalView & { readonly rule?: CreatedRule }> = {
  ...approvalView,
  properties: { ...(approvalView.properties as JsonObject), rule: createdRule },
}

const refusal: SchemaOf<Problem> = problem

const outcome = answer(
  'One decision.',
  {
    id: text('The approval.'),
    status: integer('The HTTP status that the decision alone would have.', 200, 599),
    approval: approvalView,
    problem: refusal,
  },
  ['id', 'status'],
)
export type Outcome = Typed<typeof outcome>

export const outcomes = answer('The outcome of each decision, in the order of the request.', {
  items: list(outcome),
})

/** Makes a standing rule with the approval of a call. */
export interface RuleMaking {
  /**
   * Approves a call, and makes a rule for calls like it. Without the approval there is no rule.
   * @param id of the rule, the same for a repeated request
   * @throws as `Approvals.decide` and `Rules.create`; CALL_RULE_OTHER_CALL if the rule does not cover this call
   */
  approve(
    approval: string,
    decision: Omit<PersonsDecision, 'by'> & { readonly digest?: string },
    rule: RuleOfDecision,
    id?: string,
  ): Promise<ApprovalView & { readonly rule: CreatedRule }>
}
