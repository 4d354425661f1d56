import { type DescribedRoute, OPERATORS, READERS } from '../../http/route.ts'
import { answer, integer, kinds, list, ruled } from '../../http/schema.ts'
import type { Schema } from '../../spec/schema-builder.ts'
import { text } from '../../spec/schema-builder.ts'

/** The history of a conversation comes with each request. */
export const MAX_CHAT_BYTES = 8 * 1024 * 1024

const parts: Schema = {
  items: {
    type: 'object',
    properties: { type: { type: 'string', enum: ['text'] }, text: text('The text.') },
    required: ['type', 'text'],
  },
  description: 'A text, or parts of type `text`.',
}
const content: Schema = { ...parts, type: ['string', 'array'] }
const none = (description: string): Schema => ({ type: ['array', 'null'], maxItems: 0, description })

const OWN_TOOLS = 'The agent calls its own tools.'

/** Clients add members that have no effect, such as `name`. */
const OTHERS: Schema = { additionalProperties: true }

const written = (title: string) => ({ title, properties: { content }, required: ['content'], more: OTHERS })

const message: Schema = {
  ...kinds('role', 'Who wrote it.', {
    system: written('ChatSystemMessage'),
    developer: written('ChatDeveloperMessage'),
    user: written('ChatUserMessage'),
    assistant: {
      title: 'ChatAssistantMessage',
      properties: {
        content: { ...parts, type: ['string', 'array', 'null'] },
        tool_calls: none(OWN_TOOLS),
        function_call: none(OWN_TOOLS),
      },
      more: OTHERS,
    },
  }),
  description: 'A message. Calls of tools are refused: the agent calls its own.',
}

/** The body of a chat completion. Members that it does not name have no effect, or are refused by name. */
export const chatBody: Schema = {
  type: 'object',
  properties: {
    model: { type: 'string', minLength: 1, description: 'The name or the id of an agent that has opted in.' },
    messages: ruled(
      {
        ...list(message),
        minItems: 1,
        description: 'The conversation; it ends with a message of the user.',
      },
      'The last message is of the user.',
    ),
    stream: { type: ['boolean', 'null'], description: 'Answers with server-sent events.' },
    user: { type: ['string', 'null'], description: 'The user on whose behalf the agent acts.' },
    tools: none(OWN_TOOLS),
    functions: none(OWN_TOOLS),
    tool_choice: { enum: ['none', 'auto', null], description: OWN_TOOLS },
    function_call: { enum: ['none', 'auto', null], description: OWN_TOOLS },
    n: { enum: [1, null], description: 'A run has one output.' },
    response_format: {
      type: ['object', 'null'],
      properties: { type: { type: 'string', enum: ['text'] } },
      required: ['type'],
      description: 'The agent defines its output schema.',
    },
    logprobs: { enum: [false, null], description: 'They are not known.' },
    audio: { type: 'null', description: 'The output is text.' },
    modalities: {
      type: ['array', 'null'],
      items: { type: 'string', enum: ['text'] },
      description: 'The output is text.',
    },
  },
  required: ['model', 'messages'],
}

const error: Schema = answer('An error in the form of the OpenAI API.', {
  error: answer('The error.', {
    message: text('What is wrong, and what to do.'),
    type: text('The kind of error.'),
    param: { type: ['string', 'null'], description: 'The member of the body concerned.' },
    code: text('Names the error.'),
  }),
})

const model: Schema = answer('An agent that has opted in.', {
  id: text('The name of the agent; its id if another agent has the same name.'),
  object: text('`model`.'),
  created: integer('Seconds since 1970.'),
  owned_by: text('`waybill`.'),
})

const completion: Schema = answer('The output of a run.', {
  id: text('Names the run.'),
  object: text('`chat.completion`.'),
  created: integer('Seconds since 1970.'),
  model: text('As in the request.'),
  choices: list({ type: 'object', description: 'One choice, with the member `message`.' }),
  usage: { type: 'object', description: 'Tokens of the run.' },
})

const FAILURES = [400, 401, 403, 404, 421, 429, 500, 503, 507]

const COMMON = { tag: 'openai', errors: error, failures: FAILURES } as const

/** The routes for clients of the OpenAI API, for the OpenAPI document. */
export const OPENAI_OPERATIONS: readonly DescribedRoute[] = [
  {
    ...COMMON,
    method: 'GET',
    path: '/openai/v1/models',
    name: 'listOpenAiModels',
    summary: 'Lists the agents that have opted in.',
    access: READERS,
    answers: {
      200: {
        description: 'The agents.',
        schema: answer('A list.', { object: text('`list`.'), data: list(model) }),
      },
    },
  },
  {
    ...COMMON,
    method: 'GET',
    path: '/openai/v1/models/{model}',
    name: 'readOpenAiModel',
    summary: 'Returns an agent that has opted in.',
    access: READERS,
    answers: { 200: { description: 'The agent.', schema: model } },
  },
  {
    ...COMMON,
    method: 'POST',
    path: '/openai/v1/chat/completions',
    name: 'createChatCompletion',
    summary: 'Starts a run with the last message as input, and answers with its output.',
    access: OPERATORS,
    body: { kind: 'json', schema: chatBody, maxBytes: MAX_CHAT_BYTES },
    // A client gets 400 for 422, and the failure of a run as 502 or 504.
    failures: [...FAILURES, 402, 409, 413, 415, 502, 504].sort((a, b) => a - b),
    answers: {
      200: {
        description: 'The output of the run, at once or as a stream.',
        schema: completion,
        mediaTypes: ['application/json', 'text/event-stream'],
      },
    },
  },
]
