import type { ErrorObject } from 'ajv'
import type { Finding } from '../../document/finding.ts'
import type { Json } from '../../document/json.ts'
import { ownMember } from '../../document/own-member.ts'
import { explainSchemaErrors } from '../explain-schema-errors.ts'
import type { Schema } from '../schema-builder.ts'
import { HANDOFF_MESSAGES, handoffMessageSchema } from './handoff-message.schema.ts'
import { type PlaceTable, ruleAt } from './place-table.ts'

/** The rule that defines the members of each message (§8.3). */
const RULES: Readonly<Record<string, string>> = {
  handoff_init: 'SPEC-S-01',
  handoff_complete: 'SPEC-S-01',
  handoff_error: 'SPEC-S-01',
  context_chunk: 'SPEC-S-02',
  memory_item: 'SPEC-S-02',
  pipeline_state: 'SPEC-S-02',
  pending_tool: 'SPEC-S-03',
  subagent_ref: 'SPEC-S-03',
}

const PLACES: PlaceTable = [
  [/^\/messages\/\*/, 'SPEC-Q-02'],
  [/^\/pipeline_position\//, 'AAIF-8.1-06'],
]

/**
 * Explains the schema errors of a message of a known type; pointers are relative to the message. Loaded only when there
 * are errors.
 */
export function explainMessageErrors(errors: readonly ErrorObject[], message: Json, type: string): Finding[] {
  const { $defs } = handoffMessageSchema
  const own = $defs[ownMember(HANDOFF_MESSAGES, type) as keyof typeof $defs]
  const rule = ownMember(RULES, type) ?? 'AAIF-8.3-03'
  return explainSchemaErrors(errors, message, {
    schema: { ...(own as Schema), $defs } as Schema,
    ruleOfMissing: (pointer) => ruleAt(pointer, PLACES, rule),
    ruleOfValue: (pointer) => ruleAt(pointer, PLACES, rule),
    ruleOfUnknown: (pointer) => (pointer.startsWith('/pipeline_position/') ? 'AAIF-8.1-06' : 'SPEC-W-01'),
    hintFor: () => undefined,
  })
}
