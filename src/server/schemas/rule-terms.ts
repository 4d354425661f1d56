import { integer, moment, request, ruled, text } from '../../http/schema.ts'
import type { Schema } from '../../spec/schema-builder.ts'

/** What a rule allows, and for how long. */
export const ruleTerms = {
  what: ruled(
    text('The tool, and patterns for its arguments, such as `send_email to=*@ours.example`.', {
      minLength: 1,
      maxLength: 4000,
      examples: ['send_email to=*@ours.example'],
    }),
    'It names a tool of the agent, and arguments of this tool.',
  ),
  until: ruled(
    moment('When it expires: at most 90 days ahead; default: in an hour.'),
    'It is in the next 90 days.',
  ),
  uses: integer('How many calls it allows at most.', 1, 1_000_000),
  any_version: {
    type: 'boolean',
    description: 'Remains valid for other versions of the agent. Default: false.',
  },
  why: text('The reason.', { maxLength: 2000 }),
}

/** The rule that is made with an approval. */
export const ruleOfDecision: Schema = {
  ...request(ruleTerms),
  description: 'Makes a standing rule with the approval. Without `what`, for exactly these arguments.',
}
