import { integer, list, oneOf, open, ref, type Schema, text } from '../schema-builder.ts'
import { RESULT_STATUSES } from './vocabulary.ts'

/** The result of an IAP task: the one source of the published schema, the validator and the types. Open throughout. */

const time = (description: string) => text(description, { format: 'date-time' })
const texts = (description: string) => list({ type: 'string' }, description)

export const resultSchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'TaskResult',
  ...open('The result of a task.', ['task_id', 'status'], {
    iap_version: text('Version of IAP that the result follows.'),
    task_id: text('The id of the task.', { minLength: 1 }),
    status: oneOf(RESULT_STATUSES, 'Status of the work.'),
    result: { description: 'The output.' },
    error: text('What went wrong.'),
    criteria_met: texts('The success criteria that were met.'),
    criteria_unmet: texts('The success criteria that were not met.'),
    metadata: ref('ResultMetadata'),
  }),
  $defs: {
    ResultMetadata: open('Data about the work.', [], {
      started_at: time('When the work began.'),
      completed_at: time('When the work ended.'),
      tokens_used: integer(0, 'Number of tokens used.'),
      agent_id: text('The agent that did the work.'),
    }),
  },
} satisfies Schema
