import type { ErrorObject } from 'ajv'
import type { Finding } from '../../document/finding.ts'
import type { Json } from '../../document/json.ts'
import { explainSchemaErrors } from '../explain-schema-errors.ts'
import { artifactEnvelopeSchema } from './artifact-envelope.schema.ts'
import { ruleOfMissing, ruleOfValue } from './rule-of-place.ts'
import { STRUCTURED } from './vocabulary.ts'

/** Explains the schema errors of an artifact envelope. Loaded only when there are errors. */
export function explainEnvelopeErrors(errors: readonly ErrorObject[], envelope: Json): Finding[] {
  const both = errors.some(({ keyword, instancePath }) => keyword === 'not' && instancePath === '')
  const others = errors.filter(({ keyword }) => keyword !== 'not')
  const findings = explainSchemaErrors(others, envelope, {
    schema: artifactEnvelopeSchema,
    ruleOfMissing,
    ruleOfValue,
    // Unknown members are not refused.
    ruleOfUnknown: () => 'AAH-1-03',
    hintFor,
  })
  return both ? [...findings, contentAndSections] : findings
}

const contentAndSections: Finding = {
  severity: 'error',
  code: 'CONTENT_AND_SECTIONS',
  pointer: '/sections',
  mark: 'key',
  message: 'an artifact has either content or sections, not both',
  hint: 'turn the content into a section, or remove one of the two',
  rule: 'AAH-1-02',
}

function hintFor({ code, pointer }: Finding, value: Json | undefined): string | undefined {
  if (code === 'WRONG_TYPE' && pointer === '/aah_version' && typeof value === 'number') {
    return `write it in quotes: "${value}"`
  }
  if (code === 'REQUIRED_MISSING' && pointer === '/content') {
    return 'add "content", "sections" (if several agents write the artifact) or "section_update"'
  }
  if (code === 'REQUIRED_MISSING' && pointer === '/content/body') return 'add "body", or "body_url"'
  if (code === 'WRONG_TYPE' && pointer === '/content/body') {
    return `write a string, or declare the media type "${STRUCTURED}" for an object`
  }
  if (code === 'PATTERN_MISMATCH' && pointer.endsWith('/id')) {
    return 'use lower-case letters, digits and hyphens only, such as "day-1"'
  }
  if (code === 'PATTERN_MISMATCH' && pointer === '/content/body_hash') {
    return 'write the SHA-256 of the bytes as 64 hexadecimal digits'
  }
  if (code === 'OUT_OF_RANGE' && pointer.endsWith('/priority')) return 'write 1 (high), 2 (medium) or 3 (low)'
  return undefined
}
