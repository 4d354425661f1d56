import { answer, id, integer, moment, nullable, oneOf, request, text } from '../../http/schema.ts'

export const newErasure = request({ user: id('The user whose data is erased.') }, ['user'])

export const erasureView = answer('An erasure of the data of a user.', {
  id: text('The id.'),
  user: nullable(text('The user; null when the rows are removed.')),
  subject: text('SHA-256 of the organisation and the user; the audit log names it too.'),
  requested_by: text('Who has requested it.'),
  requested_at: moment('When.'),
  state: oneOf(
    ['pending', 'removed', 'complete'],
    '`pending`: rows are being removed. `removed`: the database has none left. `complete`: the key of the user is destroyed, so that older backups cannot bring them back; the next backup does this.',
  ),
  runs: integer('Removed runs, with those of sub-agents.', 0),
  items: integer('Removed memory items.', 0),
  removed_at: nullable(moment('When the last row was removed.')),
  complete_at: nullable(moment('When the key was destroyed.')),
})
