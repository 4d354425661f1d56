import {
  answer,
  id,
  integer,
  list,
  moment,
  namesOf,
  oneOf,
  request,
  text,
  wellFormed,
} from '../../http/schema.ts'
import type { Schema } from '../../spec/schema-builder.ts'

const SUBJECTS = {
  run: id('A run with its sub-agents.'),
  agent: id('The `agent_id` of an agent: all runs in which it takes part.'),
  user: id('A user: all runs on their behalf.'),
  organisation: id('The own organisation: all runs.'),
}

export const newStop: Schema = {
  ...request({
    ...SUBJECTS,
    reason: wellFormed({
      type: 'string',
      minLength: 1,
      maxLength: 500,
      pattern: '^[^\\x00]*$',
      description: 'Why, for people whose runs are stopped.',
    }),
  }),
  oneOf: Object.keys(SUBJECTS).map((name) => ({ required: [name] })),
}

const STOP = {
  id: text('The id, to lift it.'),
  kind: oneOf(['run', 'agent', 'user', 'organisation'], 'What it covers.'),
  subject: text('Which one.'),
  by: text('Who has set it.'),
  reason: text('Why.'),
  since: moment('Since when.'),
}

const required = namesOf(STOP, ['reason'])

export const stopList = answer('The active stops.', {
  items: list(answer('A stop.', STOP, required)),
})

export const stopView = answer(
  'A new stop, with what was under way.',
  {
    ...STOP,
    runs: integer('How many runs were driven.', 0),
    in_flight: list(
      answer('A call that was sent and has no answer. A stop does not undo it.', {
        run_id: text('The run.'),
        call_id: text('The call.'),
        tool: text('The tool.'),
        effect: text('`once`: it must not be sent again. `idempotent` or `none`: it may.'),
      }),
      { description: 'Of the first 100 runs.' },
    ),
  },
  [...required, 'runs', 'in_flight'],
)

export const liftedStop = answer('What continues.', { runs: integer('How many runs.', 0) })
