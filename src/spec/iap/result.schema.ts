import { integer, list, oneOf, open, ref, type Schema, text } from '../schema-builder.ts'
import { RESULT_STATUSES } from './vocabulary.ts'

/** The result of an IAP task: the one source of the published schema, the validator and the types. Open throughout. */

const time = (description: string) => text(description, { format: 'date-time' })
const texts = (description: string) => list({ type: 'string' }, description)

export const resultSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'TaskResult',
  ...open('What became of a task.', ['task_id', 'status'], {
    iap_version: text('Version of IAP that the result follows.'),
    task_id: text('The task that it answers.', { minLength: 1 }),
    status: oneOf(RESULT_STATUSES, 'How far it came.'),
    result: { description: 'What was made.' },
    error: text('What went wrong.'),
    criteria_met: texts('The success criteria that were met.'),
    criteria_unmet: texts('The success criteria that were not met.'),
    metadata: ref('ResultMetadata'),
  }),
  $defs: {
    ResultMetadata: open('How it was done.', [], {
      started_at: time('When the work began.'),
      completed_at: time('When the work ended.'),
      tokens_used: integer(0, 'How many tokens it took.'),
      agent_id: text('The agent that did it.'),
    }),
  },
} satisfies Schema
