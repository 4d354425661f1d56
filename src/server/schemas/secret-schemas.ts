import { answer, list, moment, request, ruled, text, wellFormed } from '../../http/schema.ts'

/** Largest value of a secret, in characters. */
const MOST_CHARACTERS = 16_384

/** The name of a secret, as definitions refer to it. */
export const SECRET_NAME = '^[A-Za-z_][0-9A-Za-z_]{0,127}$'

export const newSecret = request(
  {
    value: wellFormed({
      type: 'string',
      minLength: 1,
      maxLength: MOST_CHARACTERS,
      pattern: '^[^\\x00]*$',
      description: 'The value. It is never shown again.',
    }),
    hosts: list(
      // Not a pattern: the refusal says what is wrong with the name.
      ruled({ type: 'string', minLength: 1, maxLength: 260 }, 'It is a host of a URL, without wildcards.'),
      {
        minItems: 1,
        maxItems: 50,
        description: 'The hosts that it may be sent to, as HOST or HOST:PORT, without wildcards.',
      },
    ),
  },
  ['value', 'hosts'],
)

export const secretView = answer('A secret, without its value.', {
  name: text('Its name, as definitions refer to it.'),
  hosts: list(text('A host that it may be sent to.')),
  set_at: moment('When it was set.'),
  set_by: text('Who set it.'),
  used_at: {
    type: ['string', 'null'],
    description: 'When a run used it last, to the minute; null: not since it was set.',
  },
})
