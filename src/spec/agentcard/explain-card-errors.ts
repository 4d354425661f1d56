import type { ErrorObject } from 'ajv'
import type { Finding } from '../../document/finding.ts'
import type { Json } from '../../document/json.ts'
import { explainSchemaErrors } from '../explain-schema-errors.ts'
import { objectAt, textAt } from '../loose-members.ts'
import { agentCardSchema } from './agent-card.schema.ts'
import { ruleOfMissing, ruleOfType, ruleOfValue } from './rule-of-place.ts'
import { isLooseVersion, versionError } from './sem-ver.ts'
import { DIALECT_PROTOCOLS, LANDAUER_FLOOR } from './vocabulary.ts'

/** Explains the schema errors of a card. Loaded only when there are errors. */
export function explainCardErrors(errors: readonly ErrorObject[], card: Json, lenient: boolean): Finding[] {
  const explained = explainSchemaErrors(errors, card, {
    schema: agentCardSchema,
    ruleOfMissing,
    ruleOfValue,
    ruleOfUnknown: () => undefined,
    hintFor: (finding, value) => hintFor(finding, value),
  })
  return explained.map((finding) => refine(finding, card, lenient))
}

function hintFor({ code, pointer }: Finding, value: Json | undefined): string | undefined {
  if (code === 'PATTERN_MISMATCH' && pointer === '/agent_id') return hintForId(value as string)
  if (code === 'PATTERN_MISMATCH' && /^\/capabilities\/\d+\/id$/.test(pointer)) {
    return 'use a-z, 0-9, ".", "_" and "-", beginning with a letter or digit, such as "text.summarise"'
  }
  if (code === 'REQUIRED_MISSING' && pointer === '/agent_id') {
    return 'add "agent_id": a ULID of 26 characters, created once for this agent'
  }
  if (code === 'WRONG_TYPE' && pointer === '/endpoint' && typeof value === 'string') {
    return 'write "endpoint": {"protocol": …, "url": …}'
  }
  if (code === 'WRONG_TYPE' && pointer === '/endpoint/auth' && typeof value === 'string') {
    return 'write "auth": {"scheme": …}'
  }
  if (code === 'WRONG_TYPE' && pointer === '') return 'begin with {"agent_id": …, "name": …}'
  return undefined
}

function hintForId(id: string): string {
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)) {
    return 'this is a UUID: create a ULID, and keep the UUID in metadata if others use it'
  }
  if (id.length !== 26) return `a ULID has 26 characters, this id has ${id.length}`
  if (/^[0-9A-HJKMNP-TV-Z]{26}$/i.test(id)) return 'write its letters in upper case'
  return 'a ULID has the digits and the letters A to Z without I, L, O and U'
}

/** Adds the explanations for cards to the general ones, and turns some errors into warnings in lenient mode. */
function refine(finding: Finding, card: Json, lenient: boolean): Finding {
  const { code, pointer } = finding

  if (code === 'WRONG_TYPE') return { ...finding, rule: ruleOfType(pointer) }
  if (code === 'SCHEMA_MISMATCH' && pointer === '/pricing/base_cost_joules') {
    return {
      ...finding,
      code: 'BELOW_LANDAUER_FLOOR',
      message: `base_cost_joules is physically impossible: above 0 and below ${LANDAUER_FLOOR}, the energy of erasing one bit`,
      hint: `write 0 if no energy is charged, or a real estimate of at least ${LANDAUER_FLOOR}`,
    }
  }
  if (code === 'PATTERN_MISMATCH' && pointer === '/version') {
    const version = textAt(card, 'version') ?? ''
    const tolerated = lenient && isLooseVersion(version)
    return { ...finding, ...versionError(version), severity: tolerated ? 'warning' : 'error' }
  }
  if (code === 'NOT_IN_ENUM' && pointer === '/endpoint/protocol') {
    const protocol = textAt(objectAt(card, 'endpoint'), 'protocol') ?? ''
    if (!DIALECT_PROTOCOLS.includes(protocol)) return finding
    const hint = lenient
      ? 'other readers support only http, https, grpc, stdio and mcp: use one of these in your own cards'
      : 'other readers support only http, https, grpc, stdio and mcp; --lenient accepts this one'
    return { ...finding, severity: lenient ? 'warning' : 'error', hint }
  }
  return finding
}
