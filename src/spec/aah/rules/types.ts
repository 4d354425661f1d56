import type { Finding } from '../../../document/finding.ts'
import type { JsonObject } from '../../../document/json.ts'
import { suggest } from '../../../document/suggest.ts'
import type { JudgeOptions } from '../../kinds.ts'
import { itemsAt, objectAt, textAt } from '../../loose-members.ts'
import { essenceOf } from '../media-type.ts'
import { ARTIFACT_TYPES, EXTENSION_TYPE, MEDIA_TYPES, SECTION_TYPES } from '../vocabulary.ts'

/** Types are those of the text or begin with x-; readers put up with others, writers do not write them (§2.5.1, §3). */
export function* checkTypes(envelope: JsonObject, { authoring = false }: JudgeOptions): Iterable<Finding> {
  const severity = authoring ? 'error' : 'warning'
  const type = textAt(objectAt(envelope, 'artifact'), 'type')
  if (type !== undefined && isUnlisted(type, ARTIFACT_TYPES)) {
    yield {
      severity,
      code: 'ARTIFACT_TYPE_UNLISTED',
      pointer: '/artifact/type',
      message: `${quote(type)} is no artifact type of AAH`,
      hint: wayOut(type, ARTIFACT_TYPES),
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
      message: `${quote(sectionType)} is no section type of AAH`,
      hint: wayOut(sectionType, SECTION_TYPES),
      rule: 'AAH-2.5.1-01',
    }
  }
}

/** The list of media types is open, so another one is a reason to look, never to refuse (§2.4). */
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

function wayOut(type: string, listed: readonly string[]): string {
  const meant = suggest(type, listed)
  return meant === undefined
    ? 'a type of your own begins with x-, such as x-custom/mytype'
    : `did you mean "${meant}"?`
}

function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text)
}
