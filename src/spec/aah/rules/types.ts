import type { Finding } from '../../../document/finding.ts'
import type { JsonObject } from '../../../document/json.ts'
import { suggest } from '../../../document/suggest.ts'
import type { JudgeOptions } from '../../kinds.ts'
import { itemsAt, objectAt, textAt } from '../../loose-members.ts'
import { essenceOf } from '../media-type.ts'
import { ARTIFACT_TYPES, EXTENSION_TYPE, MEDIA_TYPES, SECTION_TYPES } from '../vocabulary.ts'

/**
 * Checks that types are listed in the specification or begin with x-; readers accept others, writers do not write them
 * (§2.5.1, §3).
 */
export function* checkTypes(envelope: JsonObject, { authoring = false }: JudgeOptions): Iterable<Finding> {
  const severity = authoring ? 'error' : 'warning'
  const type = textAt(objectAt(envelope, 'artifact'), 'type')
  if (type !== undefined && isUnlisted(type, ARTIFACT_TYPES)) {
    yield {
      severity,
      code: 'ARTIFACT_TYPE_UNLISTED',
      pointer: '/artifact/type',
      message: `${quote(type)} is not an artifact type of AAH`,
      hint: typeHint(type, ARTIFACT_TYPES),
      rule: 'AAH-3-02',
    }
  }
  for (const [i, section] of itemsAt(envelope, 'sections').entries()) {
    const sectionType = textAt(section, 'type')
    if (sectionType === undefined || !isUnlisted(sectionType, SECTION_TYPES)) continue
    yield {
      severity,
      code: 'SECTION_TYPE_UNLISTED',
      pointer: `/sections/${i}/type`,
      message: `${quote(sectionType)} is not a section type of AAH`,
      hint: typeHint(sectionType, SECTION_TYPES),
      rule: 'AAH-2.5.1-01',
    }
  }
}

/** Warns about media types that are not listed; the list is open, so they are never refused (§2.4). */
export function* checkMediaType(envelope: JsonObject): Iterable<Finding> {
  const mediaType = textAt(objectAt(envelope, 'content'), 'media_type')
  if (mediaType === undefined) return
  const essence = essenceOf(mediaType)
  if ((MEDIA_TYPES as readonly string[]).includes(essence)) return
  const meant = suggest(essence, MEDIA_TYPES)
  yield {
    severity: 'warning',
    code: 'MEDIA_TYPE_UNLISTED',
    pointer: '/content/media_type',
    message: `${quote(mediaType)} is not among the media types that AAH readers are expected to know`,
    hint: meant === undefined ? `those are ${MEDIA_TYPES.join(', ')}` : `did you mean "${meant}"?`,
    rule: /^(?:image\/|application\/vnd\.)/.test(essence) ? 'AAH-2.4-06' : 'AAH-2.4-05',
  }
}

function isUnlisted(type: string, listed: readonly string[]): boolean {
  return !listed.includes(type) && !EXTENSION_TYPE.test(type)
}

function typeHint(type: string, listed: readonly string[]): string {
  const meant = suggest(type, listed)
  return meant === undefined
    ? 'a custom type begins with x-, such as x-custom/mytype'
    : `did you mean "${meant}"?`
}

function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}
