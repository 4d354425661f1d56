import { defined } from '../../document/defined.ts'
import { isObject, type Json } from '../../document/json.ts'
import { featureLevel } from '../../spec/aah/feature-level.ts'
import { itemsAt, memberOf, objectAt, textAt } from '../../spec/loose-members.ts'
import { fact, type Inspection, type Line, section } from './inspection.ts'

/** Describes an artifact: type, lifecycle, sections and the AAH level that a reader needs. */
export function inspectEnvelope(value: Json): Inspection {
  const artifact = objectAt(value, 'artifact')
  const sections = itemsAt(value, 'sections')
  const content = objectAt(value, 'content')
  const lifecycle = objectAt(value, 'lifecycle')
  const needed = featureLevel(isObject(value) ? value : {})
  const name = textAt(artifact, 'title') ?? textAt(artifact, 'id')
  const facts = defined({
    name,
    artifact_id: textAt(artifact, 'id'),
    type: textAt(artifact, 'type'),
    version: memberOf(artifact, 'version') === undefined ? undefined : String(memberOf(artifact, 'version')),
    aah_version: textAt(value, 'aah_version'),
    needs_reader: needed,
    by: textAt(objectAt(value, 'source'), 'agent_id'),
    media_type: textAt(content, 'media_type'),
    sections: sections.map((one) => ({
      id: textAt(one, 'id') ?? '?',
      type: textAt(one, 'type') ?? 'content',
      status: textAt(one, 'status') ?? 'draft',
    })),
    visibility: textAt(lifecycle, 'visibility') ?? 'private',
    retention: textAt(lifecycle, 'retention') ?? 'permanent',
    expires_at: textAt(lifecycle, 'expires_at'),
  })
  return {
    facts: facts as Inspection['facts'],
    headline: name ?? '(no id)',
    sections: [
      section('Artifact', [
        fact('type', facts.type),
        fact('id', facts.artifact_id),
        fact('by', facts.by),
        fact('holds', facts.media_type),
        fact('visible to', facts.visibility),
        fact('kept', textAt(lifecycle, 'expires_at') ?? facts.retention),
        fact('required AAH level', needed),
      ]),
      section(
        'Sections',
        sections.map(
          (one): Line => ({
            text: textAt(one, 'heading') ?? textAt(one, 'id') ?? '?',
            note: [
              textAt(one, 'type'),
              textAt(one, 'status') ?? 'draft',
              textAt(one, 'decided_by') && `decided by ${textAt(one, 'decided_by')}`,
            ]
              .filter(Boolean)
              .join(', '),
          }),
        ),
      ),
    ],
  }
}
