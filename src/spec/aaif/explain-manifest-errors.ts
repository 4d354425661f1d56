import type { ErrorObject } from 'ajv'
import type { Finding } from '../../document/finding.ts'
import type { Json } from '../../document/json.ts'
import { lastStep, parentOf } from '../../document/json-pointer.ts'
import { ownMember } from '../../document/own-member.ts'
import { explainSchemaErrors } from '../explain-schema-errors.ts'
import { manifestSchema } from './manifest.schema.ts'
import { type PlaceTable, ruleAt } from './place-table.ts'

const PLACES: PlaceTable = [
  [/^\/platform\/aaif_conformance_level$/, 'AAIF-6-01'],
  [/^\/platform\/(aaif_versions_supported|capabilities\/orchestration\/condition_languages)/, 'SPEC-U-07'],
  [/^\/platform\/capabilities\/auth\/vault\/providers/, 'SPEC-U-07'],
  [/^\/platform\/intake_endpoint/, 'SPEC-U-04'],
  [/^\/platform\/capabilities/, 'SPEC-U-06'],
]

const UNKNOWN: PlaceTable = [
  [/^\/platform\/intake_endpoint\//, 'SPEC-U-04'],
  [/^\/platform\/capabilities\//, 'SPEC-U-06'],
]

/** Explains the schema errors of a Platform Manifest. Loaded only when there are errors. */
export function explainManifestErrors(errors: readonly ErrorObject[], manifest: Json): Finding[] {
  return explainSchemaErrors(errors, manifest, {
    schema: manifestSchema,
    ruleOfMissing: (pointer) =>
      /^(\/\w+|\/platform\/(name|version|aaif_conformance_level))$/.test(pointer)
        ? 'SPEC-U-01'
        : ruleAt(pointer, PLACES, 'SPEC-U-01'),
    ruleOfValue: (pointer) => ruleAt(pointer, PLACES, 'SPEC-U-01'),
    ruleOfUnknown: (pointer, name) =>
      name.startsWith('x-') ? 'SPEC-W-06' : ruleAt(pointer, UNKNOWN, 'SPEC-W-01'),
    hintFor,
  })
}

/** Maps capability names of agents to the names in manifests, where they differ. */
const CAPABILITY_NAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  compliance: { hitl: 'human_in_the_loop', data_residency: 'data_residency_regions' },
  telemetry: { otel: 'otel_traces' },
  state: { restore: 'checkpoint', migration: 'live_migration', streaming: 'streaming_handoff' },
}

function hintFor({ code, pointer }: Finding, value: Json | undefined): string | undefined {
  const name = lastStep(pointer)
  if (code === 'UNKNOWN_MEMBER') {
    if (name.startsWith('x-')) return 'x- members are allowed only at the root of a manifest'
    const names = ownMember(CAPABILITY_NAMES, lastStep(parentOf(pointer)))
    const ours = names !== undefined && Object.hasOwn(names, name) ? names[name] : undefined
    return ours === undefined ? undefined : `manifests call it "${ours}"`
  }
  if (code === 'WRONG_TYPE' && name === 'intake_endpoint' && typeof value === 'string') {
    return 'write "intake_endpoint": {"url": …}'
  }
  if (code === 'NOT_IN_ENUM' && value === 'preferred_first') {
    return 'remove it: every platform supports the declared order'
  }
  return undefined
}
