import {
  anyObject,
  closed,
  flag,
  integer,
  list,
  number,
  oneOf,
  open,
  type Schema,
  text,
} from '../spec/schema-builder.ts'

/**
 * The member `x-waybill` of an Agent State: what the format has no place for. It is read only if it is valid; a state
 * without it resumes at the boundary of a turn. Times are milliseconds since the epoch, by the clock of the platform
 * that captured the state.
 */

const any = (description: string): Schema => ({ description })
const nullable = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] })
const texts = (description: string): Schema => list({ type: 'string' }, description)
const count = (description: string): Schema => integer(0, description)
const time = (description: string): Schema => number(description, { minimum: 0 })

const ROLE = ['none', 'idempotent', 'once'] as const
const STATUSES = ['queued', 'judging', 'asking', 'input_required', 'held', 'sent', 'unknown', 'done'] as const

const toolCall = closed('A call of a tool in an answer of the model.', ['id', 'tool', 'args'], {
  id: text('Unique in its turn.'),
  tool: text('Name of the tool.'),
  args: anyObject('Arguments.'),
  malformed: text('The text of the arguments, if it is not a JSON object.'),
  fits: flag('The arguments match the schema of the tool with the real values.'),
  personal: flag('Personal data was found in the arguments.'),
})

const limits = closed('Limits of the calling agent.', [], {
  tokens: number('Tokens.', { minimum: 0 }),
  usd: number('US dollars.', { minimum: 0 }),
  calls: number('Requests to models and tools.', { minimum: 0 }),
  deadline_at: time('Deadline; it moves by the time between capture and restore.'),
  deadline_of: oneOf(['runtime', 'budget'], 'The limit that sets the deadline.'),
})

const agentCall = closed(
  'The run of a sub-agent.',
  ['alias', 'definition', 'run_id', 'input', 'pass_context', 'limits'],
  {
    alias: text('Alias of the sub-agent.'),
    definition: text('SHA-256 (hex) of its definition.'),
    run_id: text('Its run.'),
    input: any('Its input.'),
    pass_context: flag('It gets the conversation.'),
    memory: anyObject('The memory items that it gets.'),
    limits,
    instead_of: text('The alias of the failed sub-agent that it replaces.'),
  },
)

const questions = list(
  closed('A question of a server.', ['key', 'mode', 'message'], {
    key: text('By which the server finds the answer.'),
    mode: oneOf(['form', 'url'], 'Values for a schema, or a URL to visit.'),
    message: text('What is asked.'),
    schema: anyObject('Of a form.'),
    url: text('Of a URL.'),
  }),
  'The questions of one round.',
)

const elicitation = closed('What the server of the tool has asked a person.', ['round', 'questions'], {
  round: count('1 for the first questions of the call.'),
  questions,
  request_state: text('The server gets it back unchanged.'),
  answers: anyObject('The answers, by the keys of the questions.'),
  before: list(
    closed('An earlier round.', ['questions', 'answers'], {
      questions,
      answers: anyObject('The answers, by the keys of the questions.'),
    }),
    'Earlier rounds, oldest first.',
  ),
})

const callEntry = closed('A call in the ledger.', ['id', 'tool', 'args', 'key', 'effect', 'status'], {
  id: text('Unique in its turn.'),
  tool: text('Name of the tool.'),
  args: anyObject('Arguments.'),
  key: text('Idempotency key.'),
  effect: oneOf(ROLE, 'Effect of repeating the call.'),
  status: oneOf(STATUSES, 'Status of the call.'),
  unasked: flag('The hook on_tool_call was not asked yet.'),
  result: any('Its result.'),
  error: flag('It failed.'),
  asked_at: time('When it began to wait for a person.'),
  unsettled: flag('It was closed although its outcome is not known.'),
  by_origin: flag('The run of origin has sent it.'),
  why: text('Why a person is asked.'),
  lapses_at: time('When the question ends, as another platform has promised it.'),
  unfit: text('Why it is not sent as it is, also when a person approves it.'),
  proposed: anyObject('The arguments of the model, if a person has changed them.'),
  elicitation,
  agent: agentCall,
})

const route = (description: string): Schema => integer(0, `${description} An index in \`routes\`.`)

const attempt = closed(
  'The question to a model that has no answer yet.',
  ['n', 'route', 'retry', 'delay_ms', 'failed'],
  {
    n: count('Number of the question.'),
    route: route('The route that is asked.'),
    retry: count('How often this route was tried again.'),
    delay_ms: number('Delay before it is sent.', { minimum: 0 }),
    due_at: time('When it is sent.'),
    continues: flag('The model continues the interrupted answer, `partial`.'),
    failed: list(
      closed('A route that was given up.', ['route', 'code', 'message'], {
        route: route('The route.'),
        code: text('Code of the failure.'),
        message: text('Message of the failure.'),
        hint: text('What to do about it.'),
      }),
      'Routes that were given up for this question.',
    ),
    why: text('Why this route was chosen.'),
    skipped: list(
      closed('A route that was not used.', ['route', 'reason'], {
        route: route('The route.'),
        reason: text('Why.'),
      }),
      'Routes of a higher rank that were skipped.',
    ),
    prompt_tokens: count('Estimated tokens of the question.'),
  },
)

const totals = open(
  'What the run has used.',
  ['input_tokens', 'output_tokens', 'cost_usd', 'llm_calls', 'tool_calls', 'iterations', 'duration_ms'],
  {
    input_tokens: count('Tokens of questions.'),
    output_tokens: count('Tokens of answers.'),
    cost_usd: nullable(number('US dollars.', { minimum: 0 })),
    estimated: flag('A part is estimated.'),
    llm_calls: count('Requests to models.'),
    tool_calls: count('Calls of tools.'),
    iterations: count('Answers of models.'),
    duration_ms: number('Milliseconds of work.', { minimum: 0 }),
  },
)

const run = closed(
  'The members of the state of the run that the format has no place for.',
  [
    'status',
    'turn',
    'attempts',
    'attempt',
    'calls',
    'steering',
    'received',
    'turn_start',
    'sent',
    'unsettled',
    'counted',
    'stage',
    'recalling',
    'started_at',
    'background',
    'input',
    'limits',
    'trace_parent',
    'trace_state',
    'depth',
    'named',
    'triggered',
    'handed_off',
    'review',
    'reviews',
    'start_hook_turn',
    'end_hook_turn',
    'tally',
    'repairs',
    'down',
    'answered_by',
    'totals',
    'warnings',
    'agents',
    'partial',
    'end',
    'ending',
    'sent_by_origin',
  ],
  {
    status: oneOf(
      ['running', 'waiting', 'paused', 'completed', 'failed', 'refused', 'cancelled'],
      'Status of the run.',
    ),
    turn: count('Number of the turn.'),
    deadline_of: oneOf(['runtime', 'budget'], 'The limit that sets the deadline.'),
    attempts: count('Number of the last question to a model.'),
    attempt: nullable(attempt),
    calls: list(callEntry, 'The ledger: the calls of the open round.'),
    steering: list(
      closed('A message to the turn.', ['text'], { text: text('The text.'), message: text('Its id.') }),
      'Messages of the user that the model has not read yet.',
    ),
    received: texts('Ids of the messages that were taken in.'),
    turn_start: closed('The conversation before the turn.', ['messages', 'background'], {
      messages: count('Number of messages.'),
      background: anyObject('Texts of the prompt that were fetched again.'),
    }),
    sent: list(callEntry, 'Calls of this turn that were sent and may have an effect.'),
    denied: list(
      closed('A refused call.', ['agent_id', 'tool', 'args', 'by'], {
        agent_id: text('The agent that made it.'),
        tool: text('The tool.'),
        args: anyObject('The arguments.'),
        by: text('Who refused it.'),
        why: text('Why.'),
      }),
      'Calls of this turn that a person has refused: they are not asked about again.',
    ),
    unsettled: list(callEntry, 'Calls of earlier turns whose outcome is not known.'),
    counted: nullable(
      closed('Tokens that a provider counted.', ['tokens', 'messages'], {
        tokens: count('Tokens.'),
        messages: count('Number of messages.'),
      }),
    ),
    stage: nullable(
      open('Stage of the work of sub-agents.', ['type'], {
        type: oneOf(['pipeline', 'swarm', 'route', 'handoff'], 'Kind of the stage.'),
        step: count('Of a pipeline: index of the step.'),
        phase: oneOf(['work', 'judge', 'merge'], 'Of a swarm.'),
        rule: count('Of a hand-off: index of the rule.'),
      }),
    ),
    choice: list(
      closed('An answer to select from.', ['alias', 'result'], {
        alias: text('Worker.'),
        result: any('Answer.'),
      }),
      'The answers that the own model selects from.',
    ),
    recalling: flag('The turn waits for a search of the memory.'),
    started_at: time('When the run began.'),
    background: anyObject('Texts of the prompt that were fetched again, by their place.'),
    input: any('The input of the turn.'),
    limits,
    trace_parent: nullable(text('W3C traceparent.')),
    trace_state: nullable(text('W3C tracestate.')),
    depth: count('How many agents call one another above this run.'),
    named: texts('Destinations that the user has named to the callers.'),
    triggered: flag('A trigger began the run.'),
    withheld: flag('Values of personal data were left behind: `[email withheld]` in their place.'),
    copied: count('The record is a copy, in this generation: each write asks until a person lets one leave.'),
    handed_off: list(count('Index of a rule.'), 'Hand-off rules that have fired.'),
    review: nullable(
      open('What a judge reviews.', ['n', 'subject'], {
        n: count('Number of the review.'),
        subject: oneOf(['answer', 'calls'], 'What is reviewed.'),
        text: text('The answer.'),
      }),
    ),
    reviews: count('Number of the last review.'),
    start_hook_turn: count('The last turn for which on_start was called.'),
    end_hook_turn: count('The last turn for which on_complete or on_error was called.'),
    tally: {
      type: 'object',
      description: 'How often each tool was called, and succeeded in this turn.',
      additionalProperties: closed('One tool.', ['called', 'succeeded'], {
        called: count('Calls.'),
        succeeded: count('Successes in this turn.'),
      }),
    },
    repairs: count('Repairs of the answer in this turn.'),
    down: {
      type: 'object',
      description: 'Routes that are closed for a while, by their index in `routes`: until when.',
      additionalProperties: time('Until when.'),
    },
    answered_by: nullable(route('The route of the last answer.')),
    totals,
    warnings: list(
      open('A warning.', ['code', 'message'], { code: text('Code.'), message: text('Text.') }),
      'Warnings of the run.',
    ),
    agents: list(
      closed('A sub-agent whose run is over.', ['alias', 'run_id', 'status'], {
        alias: text('Alias.'),
        run_id: text('Its run.'),
        status: oneOf(['completed', 'failed', 'cancelled'], 'How it ended.'),
      }),
      'Sub-agents whose runs are over.',
    ),
    partial: nullable(text('Text that a model had written before the run was paused.')),
    end: nullable(open('The end of the run.', ['status', 'stop_reason'], {})),
    ending: nullable(open('The end that waits for calls.', ['end', 'since'], {})),
    sent_by_origin: list(
      closed('A write that the run of origin has sent.', ['path', 'tool', 'args'], {
        path: texts('Aliases of the sub-agents that lead to the one that sent it.'),
        tool: text('Name of the tool.'),
        args: anyObject('Arguments.'),
        key: text('Its idempotency key there.'),
        idempotent: flag('Repeating it with the same key has no effect.'),
        result: any('Its result; absent: not known.'),
        error: flag('It failed.'),
      }),
      'Writes that a fork must not send again.',
    ),
  },
)

export const waybillMemberSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'urn:waybill:schema:state-member:1',
  title: 'WaybillMember',
  ...closed(
    'The member `x-waybill` of an Agent State: the parts of a run that AAIF §8.1 has no place for.',
    [
      'v',
      'plan_hash',
      'definition_hash',
      'seq',
      'deadline_in_ms',
      'routes',
      'messages',
      'record_items',
      'run',
    ],
    {
      v: { const: 1, description: 'Version of this member.' },
      plan_hash: text('SHA-256 (hex) of the plan that the run followed.'),
      definition_hash: text('SHA-256 (hex) of the definition.'),
      seq: count('The event after which the state was captured.'),
      user: text('The user that the run acts for.'),
      session: text('The session of the run.'),
      deadline_in_ms: nullable(number('Time left for the turn, in milliseconds.')),
      budget: closed('Of a run that is moved: the whole budget that it was started with.', [], {
        tokens: number('Tokens.', { minimum: 0 }),
        usd: number('US dollars.', { minimum: 0 }),
        calls: number('Requests to models and tools.', { minimum: 0 }),
        seconds: number('Seconds of a turn.', { minimum: 0 }),
      }),
      routes: list(
        closed('A model of the plan.', ['provider', 'model'], {
          provider: text('Provider.'),
          model: text('Model.'),
        }),
        'The models of the plan; routes are indexes in this list.',
      ),
      messages: list(
        closed('What a message of `conversation` has besides the members of the format.', ['at'], {
          at: count('Index in `conversation`.'),
          calls: list(toolCall, 'Calls of tools in an answer of the model.'),
          opaque: closed('Parts that only the same provider understands.', ['provider', 'parts'], {
            provider: text('Provider.'),
            parts: any('The parts.'),
          }),
          error: flag('Of a tool: the call failed.'),
          open: flag('A result of the open round: the ledger, `run.calls`, counts.'),
          repair: flag('Written by the runtime: asks for a repair of the answer.'),
          recalled: texts('Written by the runtime: memory items; their names.'),
          others: flag('Written by the runtime: answers of other agents.'),
          triggered: flag('Taken from a trigger.'),
        }),
        'What messages have besides the members of the format.',
      ),
      record_items: list(
        closed('Name of an item.', ['scope', 'key'], {
          scope: text('Scope of the item.'),
          key: text('Key of the item.'),
          passed: flag('The calling agent has passed it on.'),
        }),
        'The items of `memory_snapshot` that the record of the run holds, and that end with the run.',
      ),
      run,
      documents: list(
        { type: 'object', description: 'An Agent State.' },
        'The Agent States of sub-agents that have not ended, to any depth; `subagent_states` links them by state_id.',
      ),
      receipts: list(
        open('A receipt of a write, or the closing line of a run on one host.', ['type'], {
          type: oneOf(['receipt', 'receipts.end'], 'Kind of the line.'),
        }),
        'The signed receipts of the run and of all its sub-agents, of all hosts up to this state, oldest first. Only the outermost state has them.',
      ),
      personal_data: text(
        'The values of personal data that the state names, sealed for the platform that the run moves to: a compact JWE (RFC 7516), bound to this state, its sender and its receiver.',
      ),
    },
  ),
} satisfies Schema
