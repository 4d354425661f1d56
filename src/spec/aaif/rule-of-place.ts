import { type PlaceTable, ruleAt } from './place-table.ts'

/** Maps the pointer of a schema error of an agent definition to the requirement that it breaks. */

const MISSING: PlaceTable = [
  [/^\/(sc_standard|agent|agent\/name|agent\/goal)$/, 'AAIF-4-03'],
  [/^\/agent\/model\/provider_id$/, 'AAIF-4.2-13'],
  [/\/fallbacks\/\*\/\w+$/, 'SPEC-D-06'],
  [/\/subagents\/\*\/ref$/, 'SPEC-D-09'],
  [/\/handoff\/\*\/(condition|target_agent)$/, 'SPEC-D-10'],
  [/\/context\/\*\/\w+$/, 'SPEC-D-12'],
  [/\/vault_ref\/\w+$/, 'AAIF-4.4-12'],
  [/\/tools\/\*\/\w+$/, 'SPEC-D-14'],
  [/\/memory\/\*\/\w+$/, 'SPEC-D-17'],
  [/\/triggers\/\*\/type$/, 'SPEC-D-19'],
  [/\/(metrics|test_cases)\/\*\/\w+$/, 'SPEC-D-23'],
  [/\/(when|condition|filter|trigger)\/expr$/, 'SPEC-V-01'],
  [/\/(when|condition|filter|trigger)\/lang$/, 'AAIF-5-03'],
]

const VALUES: PlaceTable = [
  [/^\/sc_version$/, 'AAIF-4-04'],
  [/^\/status$/, 'AAIF-4.1-07'],
  [/^\/agent\/(name|version)$/, 'SPEC-D-03'],
  [/^\/(tags|agent\/skills|agent\/required_capabilities)(\/\*)?$/, 'SPEC-D-04'],
  [/\/model\/provider$/, 'AAIF-4.2-12'],
  [/\/model\/provider_id$/, 'AAIF-4.2-13'],
  [/\/model\/routing_strategy$/, 'AAIF-4.2-04'],
  [/\/model\/response_format$/, 'SPEC-D-08'],
  [/\/model\/(temperature|min_context_tokens|params)/, 'SPEC-D-07'],
  [/\/model\/fallbacks\//, 'SPEC-D-06'],
  [/\/orchestration\/role$/, 'AAIF-4.3-01'],
  [/\/consensus\/strategy$/, 'AAIF-4.3-05'],
  [/\/subagents\/\*\/role$/, 'SPEC-D-09'],
  [/\/context\/\*\/type$/, 'SPEC-D-12'],
  [/\/tools\/\*\/name$/, 'SPEC-D-14'],
  [/\/tools\/\*\/protocol$/, 'AAIF-4.4-01'],
  [/\/auth\/vault_ref\/provider$/, 'SPEC-D-15'],
  [/\/auth\/type$/, 'AAIF-4.4-09'],
  [/\/tools\/\*\/auth(\/|$)/, 'SPEC-D-26'],
  [/\/tools\/\*\/(cache_ttl_seconds|timeout_seconds|rate_limit)/, 'SPEC-D-16'],
  [/\/memory\/\*\/scope$/, 'AAIF-4.5-01'],
  [/\/memory\/\*\/backend$/, 'AAIF-4.5-06'],
  [/\/memory\/\*\/retrieval_strategy$/, 'AAIF-4.5-07'],
  [/\/agent\/io\/(format|mode|streaming)$/, 'SPEC-D-18'],
  [/\/triggers\/\*\/type$/, 'SPEC-D-19'],
  [/\/runtime\/retry_backoff$/, 'AAIF-4.6-05'],
  [/\/runtime\/environment$/, 'SPEC-D-21'],
  [/\/telemetry\/log_level$/, 'SPEC-D-22'],
  [/\/metrics\/\*\/name$/, 'AAIF-4.8-02'],
  [/\/compliance\/safety_level$/, 'AAIF-4.9-02'],
  [/\/compliance\/data_residency$/, 'AAIF-4.9-03'],
  [/\/compliance\/pii_handling$/, 'AAIF-4.9-06'],
  [
    /\/(max_iterations|min_votes|top_k|concurrency|max_retries|\w*timeout_seconds|\w*ttl_seconds)$/,
    'SPEC-D-28',
  ],
  [/\/(when|condition|filter|human_in_the_loop\/trigger)$/, 'AAIF-5-01'],
  [/\/(when|condition|filter|trigger)\/lang$/, 'AAIF-5-03'],
  [/\/(when|condition|filter|trigger)\/expr$/, 'SPEC-V-02'],
]

export function ruleOfMissing(pointer: string): string {
  return ruleAt(pointer, MISSING, 'AAIF-4-01')
}

export function ruleOfValue(pointer: string): string {
  return ruleAt(pointer, VALUES, 'AAIF-4-01')
}

/** Returns the rule that an unknown member breaks. */
export function ruleOfUnknown(pointer: string, name: string): string {
  if (name.startsWith('x-')) return 'SPEC-W-06'
  if (pointer.startsWith('/provenance/')) return 'AAIF-4-07'
  if (/\/auth\/[^/]+$/.test(pointer)) return 'SPEC-D-26'
  return 'SPEC-W-01'
}
