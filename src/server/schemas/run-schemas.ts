import {
  answer,
  anything,
  id,
  integer,
  list,
  moment,
  oneOf,
  request,
  ruled,
  text,
} from '../../http/schema.ts'
import { startMembers } from '../../platform/agents/start-run.ts'
import type { PlatformStatus } from '../../platform/records/run-view.ts'
import { STATUSES } from '../../session/run-status.ts'

/** The longest time for which a request waits for the end of its run, in seconds. */
export const MAX_WAIT_SECONDS = 60

/** The largest number of inputs of a batch. */
const MAX_BATCH = 10_000

export const RUN_STATUSES: readonly PlatformStatus[] = [...STATUSES, 'queued', 'scheduled', 'set_aside']

export const ON_BUSY = ['enqueue', 'reject', 'interrupt', 'rollback', 'steer']

export const onBusy = oneOf(ON_BUSY, 'What happens if the session has an active run; default `enqueue`.')

export const startRun = request({
  input: ruled(anything('The input of the agent.'), 'It matches the input schema of the agent.'),
  session: id('The conversation that the run belongs to.'),
  on_busy: onBusy,
  wait_seconds: {
    type: 'number',
    minimum: 0,
    maximum: MAX_WAIT_SECONDS,
    description: 'The request waits this long for the end of the run; default 0.',
  },
  ...startMembers,
})

export const startBatch = request(
  {
    inputs: list(ruled(anything('The input of one run.'), 'It matches the input schema of the agent.'), {
      minItems: 1,
      maxItems: MAX_BATCH,
    }),
    ...startMembers,
  },
  ['inputs'],
)

const runStatus = oneOf(RUN_STATUSES, 'The status of the run.')

export const runState = answer('A run and its status.', {
  run_id: text('Names the run.'),
  status: runStatus,
})

export const runView = answer(
  'A run. After its end, and while it waits, with the members of the result.',
  {
    run_id: text('Names the run.'),
    status: runStatus,
    agent_id: text('The agent.'),
    agent_name: text('The name of the agent.'),
    version: text('The version of the agent.'),
    user: text('The user on whose behalf the agent acts.'),
    session: text('The conversation that the run belongs to.'),
    on_behalf_of: text('The member in whose name the agent acts.'),
    created_at: moment('When the run was stored.'),
    updated_at: moment('When the run changed last.'),
    why: text('Why the run was set aside.'),
    moved_to: answer(
      'Where the run moves or was moved to.',
      {
        owner: text('The new owner, as the URI of its place.'),
        run_id: { type: ['string', 'null'], description: 'The run there; null: it is not there yet.' },
        receiver: oneOf(
          ['unknown'],
          'The new owner does not know the run any more: `POST /v1/runs/RUN/take-back`.',
        ),
      },
      ['owner', 'run_id'],
    ),
    stop_reason: text('Why the run stopped.'),
    output: anything('The output: the value of the output schema, else a text.'),
    rehearsal: { type: 'boolean', description: 'Test doubles replaced the models and the tools.' },
    replay: {
      type: 'object',
      description: 'The recorded run whose answers it has; absent: it is a real run.',
    },
    model: { type: ['object', 'null'], description: 'The route that gave the latest answer.' },
    usage: { type: 'object', description: 'Tokens, cost, calls and duration.' },
    subagents: list({ type: 'object', description: 'A run of a sub-agent.' }),
    warnings: list({ type: 'object', description: 'A warning with a `code` and a `message`.' }),
    error: { type: 'object', description: 'Why the run failed or was refused.' },
    waiting: list({ type: 'object', description: 'A call that waits for a person.' }),
  },
  ['run_id', 'status', 'agent_id', 'agent_name', 'created_at', 'updated_at'],
)

export const runEvent = answer(
  'An event of a run, with further members for its type; see the guide to events.',
  {
    v: integer('The version of this form.', 1),
    seq: integer('The number of the event, from 1; the cursor of the stream.', 1),
    at: moment('When it happened.'),
    run_id: text('The run.'),
    type: text('What happened.'),
    decision: { type: 'object', description: 'What the run decided.' },
  },
)

export const batchView = answer('A batch of runs.', {
  batch_id: text('Names the batch.'),
  agent_id: text('The agent.'),
  inputs: integer('The number of inputs.', 0),
  done: integer('The number of runs that have ended.', 0),
  items: list({ anyOf: [runView, { type: 'null' }], description: 'In the order of the inputs.' }),
  next: { type: ['string', 'null'], description: 'The `cursor` of the next page.' },
})
