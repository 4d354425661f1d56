import { defined } from '../../document/defined.ts'
import type { Json } from '../../document/json.ts'
import { itemsAt, textAt } from '../../spec/loose-members.ts'
import { fact, type Inspection, section, tally, textsAt } from './inspection.ts'

/** Describes a registry: its policy, and its entries by status. */
export function inspectRegistry(value: Json): Inspection {
  const entries = itemsAt(value, 'entries')
  const facts = defined({
    name: textAt(value, 'registry'),
    policy: textAt(value, 'registration_policy'),
    entries: entries.map((entry) => ({
      id: textAt(entry, 'id') ?? '?',
      status: textAt(entry, 'status') ?? '?',
    })),
  })
  return {
    facts,
    headline: `registry ${facts.name ?? '(no name)'}`,
    sections: [
      section('Registry', [
        fact('about', textAt(value, 'description')),
        fact('policy', facts.policy),
        fact('entries', tally(textsAt(entries, 'status'))),
      ]),
    ],
  }
}
