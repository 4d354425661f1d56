import {
  flag,
  id,
  integer,
  moment,
  request,
  ruled,
  type SchemaOf,
  type Typed,
  typed,
} from '../../http/schema.ts'

const count = (description: string): SchemaOf<number> => integer(description, 1, Number.MAX_SAFE_INTEGER)

/** Members that a run and a batch have in common. */
export const startMembers = {
  user: id('The user on whose behalf the agent acts.'),
  version: id('A version or a label of the agent; default: the active version.'),
  budget: request({
    tokens: count('The largest number of tokens.'),
    usd: typed<number>({
      type: 'number',
      exclusiveMinimum: 0,
      description: 'The highest cost in US dollars.',
    }),
    calls: count('The largest number of tool calls.'),
    seconds: typed<number>({
      type: 'number',
      exclusiveMinimum: 0,
      description: 'The longest time in seconds.',
    }),
  }),
  rehearse: flag('Test doubles replace the models and the tools.'),
  start_after: moment('The run begins at this moment or later.'),
  webhook: ruled(
    id('A webhook of the organisation, by its id, or a URL: it is notified of the changes of the run.'),
    'Of a URL: the operator names the hosts that are allowed.',
  ),
  priority: integer('Runs of a higher priority get more of the share of the organisation.', -2, 2),
}

/** The members of a request for a run that its plan depends on. */
export const planSettings = request({
  version: id('A version or a label; default: the active version.'),
  user: startMembers.user,
  session: id('The conversation that the run would belong to.'),
  budget: startMembers.budget,
  rehearse: startMembers.rehearse,
})
export type PlanSettings = Typed<typeof planSettings>
