import type { JsonObject } from '../../document/json.ts'
import {
  answer,
  anything,
  integer,
  list,
  moment,
  namesOf,
  nullable,
  object,
  oneOf,
  type SchemaOf,
  type Typed,
  text,
} from '../../http/schema.ts'
import type { QuestionAnswers, ServerQuestion } from '../../run/elicitation.ts'
import type { Page, PageOf } from '../../run/record/records.ts'
import type { PersonsDecision } from '../../session/leave-decision.ts'
import type { NewPolicy, PolicyView } from '../policies/policy.ts'

const serverQuestion: SchemaOf<ServerQuestion> = answer(
  'A question of the server, in its own words.',
  {
    key: text('Names the question.'),
    mode: oneOf(['form', 'url'], 'Fields of a form, or a URL to visit.'),
    message: text('What is asked.'),
    schema: object('Of a form: the JSON Schema of its fields.'),
    url: text('Of a URL.'),
  },
  ['key', 'mode', 'message'],
)

const agreed: SchemaOf<PersonsDecision['verdict']> = oneOf(
  ['approve', 'edit', 'answer', 'resend', 'assume'],
  'What it agrees to.',
)

const answersByKey: SchemaOf<QuestionAnswers> = {
  type: 'object',
  description: 'Of `answer`: by the keys of the questions.',
}

/** Who must agree, and who has. */
const votes = answer('Who has agreed, if several people must.', {
  needed: integer('How many people must agree.', 1),
  given: list(
    answer(
      'A vote.',
      {
        by: text('Who.'),
        at: moment('When.'),
        verdict: agreed,
        digest: text('Of the question with these arguments: an approval that names it agrees to them.'),
        note: text('The reason.'),
        arguments: object('Edited arguments; absent: those of the question.'),
        result: anything('Of `assume`: the result of the call.'),
        answers: answersByKey,
      },
      ['by', 'at'],
    ),
  ),
})
export type Votes = Typed<typeof votes>
/** Without a verdict, the vote was given at an earlier version, which did not keep it. */
export type Vote = Votes['given'][number]

const MEMBERS = {
  id: text('Names the approval.'),
  kind: oneOf(['call', 'elicitation'], 'What waits; `elicitation`: a tool server asks a person something.'),
  run_id: text('The run.'),
  call_id: text('The call.'),
  agent_id: text('The agent.'),
  agent_name: text('Its name.'),
  user: text('Whom the run serves.'),
  session: text('The conversation.'),
  on_behalf_of: text('The member who started the run.'),
  tool: text('The tool.'),
  arguments: object('The arguments of the call.'),
  digest: text('`sha256:` of the question; a decision may name it.'),
  asks: oneOf(
    ['approval', 'input', 'unknown'],
    '`input`: the server has not made the call; `unknown`: the call may have taken effect already.',
  ),
  server: text('The server that asks: its name in the configuration, else its host.'),
  questions: list(serverQuestion),
  why: text('Why a person must decide.'),
  asked_at: text('When the call began to wait.'),
  votes,
  policy: nullable(
    text('The approval policy. Absent in a list: it is not determined yet, which takes a second.'),
  ),
  hint: text('Why a standing rule that covers the call does not decide it.'),
}

const REQUIRED = [
  'id',
  'kind',
  'run_id',
  'call_id',
  'agent_id',
  'agent_name',
  'tool',
  'arguments',
  'digest',
  'asks',
] as const

export const approvalView = answer('A call that waits for a person.', MEMBERS, REQUIRED)
export type ApprovalView = Typed<typeof approvalView>

/** A message to one receiver about a question. */
const notified = answer('A message to one receiver.', {
  to: text('A mail address, or `webhook ID`.'),
  slot: text('`opened`, `reminded 1` and so on, `escalated` or `expired`.'),
  at: moment('The last attempt; before the first: when it was stored.'),
  state: oneOf(['pending', 'sent', 'failed', 'dropped'], '`dropped`: the question was closed first.'),
  attempts: integer('How often it was sent.', 0),
  error: nullable(text('Why the last attempt failed, as a code.')),
})
export type Notified = Typed<typeof notified>

const HISTORY = {
  state: oneOf(['open', 'closed'], 'Whether it waits for a decision.'),
  opened_at: moment('When it was opened.'),
  closed_at: nullable(moment('When it was closed.')),
  outcome: nullable(text('The verdict, or `ended` if the run continued or ended without one.')),
  closed_by: nullable(text('Who has decided.')),
  policy: nullable(text('The policy that applied when it opened.')),
  excluded: list(text('A user who may not decide.')),
  remind_at: nullable(moment('The next reminder.')),
  escalate_at: nullable(moment('The escalation.')),
  expires_at: nullable(moment('Its end.')),
  notified: list(notified),
}

export const questionView = answer('A question with its history.', { ...MEMBERS, ...HISTORY }, [
  ...REQUIRED,
  ...namesOf(HISTORY),
  'votes',
])
export type QuestionView = Typed<typeof questionView>

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
    view: ApprovalView,
    decision: Omit<PersonsDecision, 'by'>,
    how: { readonly explicit: boolean; readonly agrees: boolean },
  ): Promise<Votes | undefined>
  /** Returns the edited arguments with this digest that votes are for. */
  edited(view: ApprovalView, digest: string): Promise<JsonObject | undefined>
}

/** The policies of an organisation for the questions of its runs, and the history of questions. Changes are audited. */
export interface Inbox {
  /** In the order in which they are tried. */
  policies(page: Page): Promise<PageOf<PolicyView>>
  /**
   * Adds a policy, or replaces it. Open questions keep theirs.
   * @throws MEMBER_NOT_FOUND, MEMBER_WITHOUT_MAIL, TEAM_NOT_FOUND, WEBHOOK_NOT_FOUND, MAIL_NOT_CONFIGURED,
   * POLICY_LIMIT; REQUEST_INVALID for a member that its schema does not name, and for settings that do not fit together
   */
  setPolicy(name: string, policy: NewPolicy): Promise<PolicyView>
  /** @throws POLICY_NOT_FOUND */
  removePolicy(name: string): Promise<void>
  /** @throws APPROVAL_NOT_FOUND, RUN_NOT_FOUND */
  question(id: string): Promise<QuestionView>
}
