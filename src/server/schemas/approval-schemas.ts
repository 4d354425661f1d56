import { problem } from '../../http/problem-schema.ts'
import {
  answer,
  anything,
  id,
  integer,
  kinds,
  list,
  type Members,
  moment,
  oneOf,
  ruled,
  text,
} from '../../http/schema.ts'
import type { Schema } from '../../spec/schema-builder.ts'
import { ruleOfDecision } from './rule-terms.ts'

const digest = text('Of the question that was seen, or of a vote that is approved; another one is refused.', {
  pattern: '^sha256:[0-9a-f]{64}$',
})

const questionAnswer: Schema = {
  type: 'object',
  properties: {
    action: oneOf(['accept', 'decline', 'cancel'], '`cancel`: no person has decided.'),
    content: { type: 'object', description: 'Of an accepted form: its fields.' },
  },
  required: ['action'],
  additionalProperties: false,
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
          properties: { arguments: { type: 'object', description: 'All arguments of the call.' } },
          required: ['arguments', 'digest'],
        },
        answer: {
          title: `${which}AnswerDecision`,
          properties: {
            answers: {
              type: 'object',
              description: 'The answers to all questions, by their keys.',
              additionalProperties: questionAnswer,
            },
            content: {
              type: 'object',
              description: 'Where the server asks one question: the fields of its form, which is accepted.',
            },
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

export const decision: Schema = decisionOf('', {}, [])

export const decisions: Schema = {
  type: 'object',
  properties: {
    items: list(decisionOf('Listed', { id: id('The approval.') }, ['id']), { minItems: 1, maxItems: 100 }),
  },
  required: ['items'],
  additionalProperties: false,
}

export const approvalMembers = {
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
  arguments: { type: 'object', description: 'The arguments of the call.' },
  digest: text('`sha256:` of the question; a decision may name it.'),
  asks: oneOf(
    ['approval', 'input', 'unknown'],
    '`input`: the server has not made the call; `unknown`: the call may have taken effect already.',
  ),
  server: text('The server that asks: its name in the configuration, else its host.'),
  questions: list(
    answer(
      'A question of the server, in its own words.',
      {
        key: text('Names the question.'),
        mode: oneOf(['form', 'url'], 'Fields of a form, or a URL to visit.'),
        message: text('What is asked.'),
        schema: { type: 'object', description: 'Of a form: the JSON Schema of its fields.' },
        url: text('Of a URL.'),
      },
      ['key', 'mode', 'message'],
    ),
  ),
  why: text('Why a person must decide.'),
  asked_at: text('When the call began to wait.'),
  votes: answer('Who has agreed, if several people must.', {
    needed: integer('How many people must agree.', 1),
    given: list(
      answer(
        'A vote.',
        {
          by: text('Who.'),
          at: moment('When.'),
          verdict: oneOf(['approve', 'edit', 'answer', 'resend', 'assume'], 'What it agrees to.'),
          digest: text('Of the question with these arguments: an approval that names it agrees to them.'),
          note: text('The reason.'),
          arguments: { type: 'object', description: 'Edited arguments; absent: those of the question.' },
          result: anything('Of `assume`: the result of the call.'),
          answers: { type: 'object', description: 'Of `answer`: by the keys of the questions.' },
        },
        ['by', 'at'],
      ),
    ),
  }),
  policy: {
    type: ['string', 'null'],
    description: 'The approval policy. Absent in a list: it is not determined yet, which takes a second.',
  },
  hint: text('Why a standing rule that covers the call does not decide it.'),
}

export const requiredApproval = [
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

export const approvalView = answer('A call that waits for a person.', approvalMembers, requiredApproval)

export const outcomes = answer('The outcome of each decision, in the order of the request.', {
  items: list(
    answer(
      'One decision.',
      {
        id: text('The approval.'),
        status: integer('The HTTP status that the decision alone would have.', 200, 599),
        approval: approvalView,
        problem,
      },
      ['id', 'status'],
    ),
  ),
})
