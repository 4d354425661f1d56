import { type Schema, text } from '../../spec/schema-builder.ts'
import { answer, list, moment, request } from './building.ts'

/** Largest value of a secret, in characters. */
const MOST_CHARACTERS = 16_384

export const newSecret: Schema = request(
  {
    value: {
      type: 'string',
      minLength: 1,
      maxLength: MOST_CHARACTERS,
      // An unpaired surrogate cannot be stored.
      pattern: '^[^\\u0000\\uD800-\\uDFFF]*$',
      description: 'The value. It is never shown again.',
    },
    hosts: list(
      { type: 'string', minLength: 1, maxLength: 260 },
      {
        minItems: 1,
        maxItems: 50,
        description: 'The hosts that it may be sent to, as HOST or HOST:PORT, without wildcards.',
      },
    ),
  },
  ['value', 'hosts'],
)

export const secretView: Schema = answer('A secret, without its value.', {
  name: text('Its name, as definitions refer to it.'),
  hosts: list(text('A host that it may be sent to.')),
  set_at: moment('When it was set.'),
  set_by: text('Who set it.'),
  used_at: {
    type: ['string', 'null'],
    description: 'When a run used it last, to the minute; null: not since it was set.',
  },
})
