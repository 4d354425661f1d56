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

/** Distinctive names of members below the agent block, which a host would have to obey if they were in their place. */
const DEEPER_MEMBERS: readonly string[] = [
  'safety_level',
  'data_residency',
  'pii_handling',
  'audit_log',
  'human_in_the_loop',
  'timeout_seconds',
  'max_retries',
  'retry_backoff',
  'max_iterations',
  'parallel_execution',
  'routing_strategy',
  'fallbacks',
  'base_url',
  'min_context_tokens',
  'input_schema',
  'output_schema',
  'judge_model',
  'subagents',
  'triggers',
]
const DEFINITION_MEMBERS: ReadonlySet<string> = new Set([...STANDARD_MEMBERS, ...DEEPER_MEMBERS])

/** Warns about extensions that replace a standard member: other platforms ignore extensions (SPEC-W-07). */
export function checkExtensions(definition: object): Iterable<Finding> {
  return checkExtensionNames(definition, DEFINITION_MEMBERS)
}

/** @param standard the member names of this kind of document. */
export function* checkExtensionNames(document: object, standard: ReadonlySet<string>): Iterable<Finding> {
  const spelled = new Map([...standard].map((name) => [plain(name), name] as const))
  for (const name of Object.keys(document)) {
    if (!name.startsWith('x-')) continue
    const meant = spelled.get(plain(name.slice(2)))
    if (meant === undefined) continue
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

/** Returns a name without the marks between its words: `x-Safety-Level` and `x-safetyLevel` mean `safety_level`. */
function plain(name: string): string {
  return name.replaceAll(/[-_]/g, '').toLowerCase()
}
