import { oneOf, type Schema, text } from '../../spec/schema-builder.ts'
import { answer, id, integer, moment, request } from './building.ts'

export const newErasure: Schema = request({ user: id('The user whose data is erased.') }, ['user'])

const momentOrNull = (description: string): Schema => ({
  type: ['string', 'null'],
  format: 'date-time',
  description,
})

export const erasureView: Schema = answer('An erasure of the data of a user.', {
  id: text('The id.'),
  user: { type: ['string', 'null'], description: 'The user; null when the rows are removed.' },
  subject: text('SHA-256 of the organisation and the user; the audit log names it too.'),
  requested_by: text('Who has requested it.'),
  requested_at: moment('When.'),
  state: oneOf(
    ['pending', 'removed', 'complete'],
    '`pending`: rows are being removed. `removed`: the database has none left. `complete`: the key of the user is destroyed, so that older backups cannot bring them back; the next backup does this.',
  ),
  runs: integer('Removed runs, with those of sub-agents.', 0),
  items: integer('Removed memory items.', 0),
  removed_at: momentOrNull('When the last row was removed.'),
  complete_at: momentOrNull('When the key was destroyed.'),
})
