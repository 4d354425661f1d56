import type { Finding } from '../../../document/finding.ts'

/** Names of AAIF members at the root and in the agent block. */
export const STANDARD_MEMBERS: ReadonlySet<string> = new Set([
  'sc_standard',
  'sc_version',
  'agent_id',
  'status',
  'tags',
  'agent',
  'provenance',
  'name',
  'version',
  'description',
  'goal',
  'instructions',
  'skills',
  'required_capabilities',
  'model',
  'orchestration',
  'context',
  'tools',
  'memory',
  'constraints',
  'io',
  'events',
  'runtime',
  'telemetry',
  'evaluation',
  'compliance',
])

/** Warns about extensions that replace a standard member: other platforms ignore extensions (SPEC-W-07). */
export function checkExtensions(definition: object): Iterable<Finding> {
  return checkExtensionNames(definition, STANDARD_MEMBERS)
}

/** @param standard the member names of this kind of document. */
export function* checkExtensionNames(document: object, standard: ReadonlySet<string>): Iterable<Finding> {
  for (const name of Object.keys(document)) {
    if (!name.startsWith('x-')) continue
    const meant = name.slice(2).replaceAll('-', '_').toLowerCase()
    if (!standard.has(meant)) continue
    yield {
      severity: 'warning',
      code: 'EXTENSION_SHADOWS_STANDARD',
      pointer: `/${name}`,
      mark: 'key',
      message: `platforms ignore ${name}, but the format has the member "${meant}"`,
      hint: `use "${meant}", or name the extension after its vendor: x-vendor-${meant}`,
      rule: 'SPEC-W-07',
    }
  }
}
