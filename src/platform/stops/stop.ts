import {
  answer,
  id,
  integer,
  list,
  moment,
  namesOf,
  oneOf,
  request,
  type SchemaOf,
  type Typed,
  text,
  wellFormed,
} from '../../http/schema.ts'

const SUBJECTS = {
  run: id('A run with its sub-agents.'),
  agent: id('The `agent_id` of an agent: all runs in which it takes part.'),
  user: id('A user: all runs on their behalf.'),
  organisation: id('The own organisation: all runs.'),
}

const members = request({
  ...SUBJECTS,
  reason: wellFormed(
    text('Why, for people whose runs are stopped.', {
      minLength: 1,
      maxLength: 500,
      pattern: '^[^\\x00]*$',
    }),
  ),
})

/** Exactly one of the members but `reason`. */
export const newStop: SchemaOf<Typed<typeof members>> = {
  ...members,
  oneOf: Object.keys(SUBJECTS).map((name) => ({ required: [name] })),
}
export type NewStop = Typed<typeof newStop>

const STOP = {
  id: text('The id, to lift it.'),
  kind: oneOf(['run', 'agent', 'user', 'organisation'], 'What it covers.'),
  subject: text('Which one.'),
  by: text('Who has set it.'),
  reason: text('Why.'),
  since: moment('Since when.'),
}

const required = namesOf(STOP, ['reason'])

const activeStop = answer('A stop.', STOP, required)
export type StopView = Typed<typeof activeStop>
export type StopKind = StopView['kind']

export const stopList = answer('The active stops.', { items: list(activeStop) })

const callInFlight = answer('A call that was sent and has no answer. A stop does not undo it.', {
  run_id: text('The run.'),
  call_id: text('The call.'),
  tool: text('The tool.'),
  effect: text('`once`: it must not be sent again. `idempotent` or `none`: it may.'),
})
export type CallInFlight = Typed<typeof callInFlight>

export const stopView = answer(
  'A new stop, with what was under way.',
  {
    ...STOP,
    runs: integer('How many runs were driven.', 0),
    in_flight: list(callInFlight, { description: 'Of the first 100 runs.' }),
  },
  [...required, 'runs', 'in_flight'],
)

export const liftedStop = answer('What continues.', { runs: integer('How many runs.', 0) })

/** The stop switch of an organisation. Changes are audited. */
export interface Stops {
  /** Lists the active stops. */
  list(): Promise<Typed<typeof stopList>>
  /** Stops all sending within a second; no new runs start until it is lifted. @throws REQUEST_INVALID, RUN_NOT_FOUND */
  stop(request: NewStop): Promise<Typed<typeof stopView>>
  /** @returns how many runs continue @throws STOP_NOT_FOUND */
  lift(id: string): Promise<Typed<typeof liftedStop>>
}
