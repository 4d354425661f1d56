import { answer, anything, integer, list, oneOf, text } from '../../http/schema.ts'
import type { Schema } from '../../spec/schema-builder.ts'

export const memoryItem = answer(
  'An item of the memory of an agent.',
  {
    definition: text('The identity of the definition that it belongs to.'),
    agent_id: text('The agent.'),
    scope: text('Who shares the item.'),
    user: text('The user that it belongs to.'),
    session: text('The session that it belongs to.'),
    key: text('The name of the item.'),
    content: text('The content.'),
    saved_at: text('When it was saved.'),
    expires_at: { type: ['string', 'null'], description: 'When it expires.' },
    revision: integer('How often it was written.', 0),
    source: oneOf(['definition', 'agent'], 'Who wrote it.'),
    run_id: text('The run that wrote it.'),
    on_behalf_of: text('The member in whose name the agent wrote it.'),
  },
  ['agent_id', 'scope', 'key', 'content', 'saved_at', 'expires_at', 'revision', 'source'],
)

export const auditEntry = answer('An entry of the audit log, as it was signed.', {
  n: integer('The number of the entry, from 1.', 1),
  fact: { type: 'object', description: 'What happened.' },
  prev: text('The hash of the previous entry.'),
  hash: text('The hash of this entry.'),
})

export const auditVerdict = answer(
  'The result of a verification.',
  {
    ok: { type: 'boolean', description: 'The log is unchanged and complete.' },
    entries: integer('The number of entries.', 0),
    head: text('The hash of the last entry; store it in another place.'),
    problems: list(
      answer('A place where the log is not as it was written.', {
        code: text('The code.'),
        message: text('What differs.'),
      }),
      { description: 'The first 1000 problems.' },
    ),
    not_listed: integer('How many further problems there are.', 1),
  },
  ['ok', 'entries', 'head', 'problems'],
)

export const document: Schema = anything('A document of another specification.')
