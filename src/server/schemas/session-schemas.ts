import { answer, anything, id, integer, moment, request, text } from '../../http/schema.ts'
import { MAX_WAIT_SECONDS, onBusy, RUN_STATUSES } from './run-schemas.ts'

export const newSession = request(
  {
    agent_id: id('The agent that the conversation is with.'),
    session: id('The name of the session; default: a new id.'),
    user: id('The user who talks to the agent.'),
  },
  ['agent_id'],
)

export const message = request(
  {
    input: anything('The message.'),
    on_busy: onBusy,
    wait_seconds: {
      type: 'number',
      minimum: 0,
      maximum: MAX_WAIT_SECONDS,
      description: 'The request waits this long for the end of the turn; default 0.',
    },
  },
  ['input'],
)

export const sessionView = answer(
  'A conversation.',
  {
    session: text('Names the session.'),
    agent_id: text('The agent.'),
    user: text('The user.'),
    run_id: { type: ['string', 'null'], description: 'The run that holds the conversation.' },
    status: { enum: [...RUN_STATUSES, null], description: 'The status of that run.' },
    queued: integer('Messages that wait for their turn.', 0),
    created_at: moment('When the session was created.'),
    run: { type: 'object', description: 'With `wait_seconds`: the run, after the turn has ended in time.' },
  },
  ['session', 'agent_id', 'run_id', 'status', 'queued', 'created_at'],
)
