import { closed, list, oneOf, open, ref, type Schema, text } from '../schema-builder.ts'
import { ENTRY_STATUSES, SC_STANDARD } from './vocabulary.ts'

/**
 * The meta-schema of the registries of AAIF 3.4.0 (§10): the one source of the published schema, the validator and
 * the types (`npm run generate`). Entries are open: each registry may add members.
 */

const entry = open('One registered value.', ['id', 'status'], {
  id: text('The value as it is written in documents.', { minLength: 1 }),
  status: oneOf(ENTRY_STATUSES, 'Whether documents may use it (§10).'),
  since: { type: ['string', 'null'], description: 'Version of the format that added it.' },
})

export const registrySchema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'urn:waybill:schema:aaif:registry:3.4.0',
  title: 'Registry',
  ...closed(
    'The values that one extension point may take (AAIF 3.4.0 §10).',
    ['registry', 'sc_standard', 'description', 'registration_policy', 'entries'],
    {
      registry: text('Name of the registry.', { pattern: '^aaif-[a-z0-9-]+$' }),
      sc_standard: { const: SC_STANDARD, description: 'Identifies the document as AAIF (§4.1).' },
      description: text('What this registry lists.'),
      registration_policy: text(
        'Registration policy: one of the four policies, optionally followed by a note (§10).',
      ),
      updated_at: text('Day of the last change.', { format: 'date' }),
      entries: list(ref('RegistryEntry'), 'The registered values.', { minItems: 1 }),
    },
  ),
  $defs: { RegistryEntry: entry },
} satisfies Schema
