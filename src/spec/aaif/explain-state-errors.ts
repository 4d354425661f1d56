import type { ErrorObject } from 'ajv'
import type { Finding } from '../../document/finding.ts'
import type { Json } from '../../document/json.ts'
import { lastStep } from '../../document/json-pointer.ts'
import { explainSchemaErrors } from '../explain-schema-errors.ts'
import { type PlaceTable, ruleAt } from './place-table.ts'
import { stateSchema } from './state.schema.ts'

/** Maps the pointers of an Agent State to their rules, for missing and for wrong members. */
const PLACES: PlaceTable = [
  [/^\/status$/, 'AAIF-8.1-04'],
  [/^\/sc_version$/, 'AAIF-4-04'],
  [/^\/iteration$/, 'AAIF-8.1-05'],
  [/^\/pipeline_position/, 'AAIF-8.1-06'],
  [/^\/conversation/, 'SPEC-Q-02'],
  [/^\/memory_snapshot/, 'SPEC-Q-03'],
  [/^\/pending_tool_calls/, 'SPEC-Q-04'],
  [/^\/subagent_states/, 'SPEC-Q-05'],
  [/^\/variables/, 'AAIF-8.1-11'],
  [/^\/approval_request/, 'AAIF-8.1-12'],
  [/^\/error/, 'AAIF-8.1-13'],
  [/^\/provenance/, 'AAIF-8.1-14'],
]

const UNKNOWN: PlaceTable = [
  [/^\/pipeline_position\//, 'AAIF-8.1-06'],
  [/^\/memory_snapshot\/\*\/\w*(embedding|vector)\w*$/i, 'AAIF-8.1-08'],
]

/** Explains the schema errors of an Agent State. Loaded only when there are errors. */
export function explainStateErrors(errors: readonly ErrorObject[], state: Json): Finding[] {
  return explainSchemaErrors(errors, state, {
    schema: stateSchema,
    ruleOfMissing: (pointer) =>
      /^\/\w+$/.test(pointer) ? 'SPEC-Q-01' : ruleAt(pointer, PLACES, 'SPEC-Q-01'),
    ruleOfValue: (pointer) => ruleAt(pointer, PLACES, 'SPEC-Q-01'),
    ruleOfUnknown: (pointer, name) =>
      name.startsWith('x-') ? 'SPEC-W-06' : ruleAt(pointer, UNKNOWN, 'SPEC-W-01'),
    hintFor,
  })
}

function hintFor({ code, pointer, rule }: Finding): string | undefined {
  if (rule === 'AAIF-8.1-08')
    return 'remove it: the platform that restores the state computes embeddings again'
  if (code === 'WRONG_TYPE' && /^\/conversation\/\d+\/content$/.test(pointer)) {
    return 'write the content as one string; write the answer of a tool as a JSON string'
  }
  if (code === 'UNKNOWN_MEMBER' && lastStep(pointer).startsWith('x-')) {
    return 'x- members are allowed only at the root; below it use variables'
  }
  return undefined
}
