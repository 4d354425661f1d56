import type { Document } from '../document/document.ts'
import type { Issue } from '../document/issue.ts'
import { isObject, type Json, type JsonObject } from '../document/json.ts'
import type { FindSchema } from '../schema/user-schema-bundle.ts'

/** All kinds of documents that can be detected, validated and explained. */
export const KINDS = [
  'aaif.agent',
  'aaif.state',
  'aaif.manifest',
  'aaif.conformance-report',
  'aaif.registry',
  'aaif.handoff-stream',
  'agentcard',
  'aah',
  'iap.task',
  'iap.result',
] as const
export type Kind = (typeof KINDS)[number]

/** For AAH envelopes: the shape. */
export type Shape = 'simple' | 'sectioned' | 'section-update'

export interface JudgeOptions {
  /** Registry documents whose `standard` values are valid in addition to those of the schemas (AAIF §10). */
  readonly registries?: readonly Json[]
  /** Returns documents that schemas refer to; absent: none is available, and each reference is a warning. */
  readonly findSchema?: FindSchema
  /** Accept the dialect of the AgentCard community repository, with warnings. */
  readonly lenient?: boolean
  /** The document is about to be sent: deviations that only readers accept are errors (AAH, IAP). */
  readonly authoring?: boolean
}

/**
 * Validates one document and returns all issues in reading order. If no issue is an error, the value has the type of
 * its kind.
 */
export type Validate = (input: Document | Json, options?: JudgeOptions) => Issue[]

export interface Detected {
  readonly kind: Kind
  readonly shape?: Shape
}

/** In characters; longer strings are not parsed to detect their kind. */
const MAX_EMBEDDED = 8 * 1024 * 1024

/** Returns the kind of a document, detected by its shape; null if it is not one of our kinds. */
export function detectKind(value: Json): Detected | null {
  if (typeof value === 'string') return holdsCard(value) ? { kind: 'agentcard' } : null
  if (!isObject(value)) return null
  if (isCard(value)) return { kind: 'agentcard' }
  const has = (member: string) => Object.hasOwn(value, member)
  const aaif = has('sc_standard')
  const named = aaif ? kindOfSchema(value['x-sc-schema']) : undefined
  if (named !== undefined) return { kind: named }
  if (aaif && has('agent')) return { kind: 'aaif.agent' }
  // Each kind is detected even if one of its identifying members is missing.
  const state = [aaif, has('state_id'), has('checkpoint_at')].filter(Boolean).length
  if (state >= 2) return { kind: 'aaif.state' }
  if (has('claims') || (aaif && has('report'))) return { kind: 'aaif.conformance-report' }
  if (has('platform') && (aaif || isManifestPlatform(value.platform))) return { kind: 'aaif.manifest' }
  if (has('registry') && (aaif || has('entries'))) return { kind: 'aaif.registry' }
  if (has('aah_version')) return { kind: 'aah', shape: shapeOf(value) }
  if (has('task') && isObject(value.task ?? null)) return { kind: 'iap.task' }
  if (has('iap_version')) return { kind: has('status') && has('task_id') ? 'iap.result' : 'iap.task' }
  if (has('task_id') && has('status')) return { kind: 'iap.result' }
  if (has('agent')) return aaif || isAgentBlock(value.agent ?? null) ? { kind: 'aaif.agent' } : null
  if (has('artifact') && (has('content') || has('sections') || has('section_update'))) {
    return { kind: 'aah', shape: shapeOf(value) }
  }
  if (has('endpoint') && (has('capabilities') || has('agent_id'))) return { kind: 'agentcard' }
  if (has('agent_id') && has('capabilities')) return { kind: 'agentcard' }
  return aaif ? { kind: 'aaif.agent' } : null
}

const SCHEMAS: ReadonlyMap<Json | undefined, Kind> = new Map([
  ['agent.schema.json', 'aaif.agent'],
  ['agent-state.schema.json', 'aaif.state'],
  ['platform-manifest.schema.json', 'aaif.manifest'],
  ['conformance-report.schema.json', 'aaif.conformance-report'],
])

/** Returns the kind from `$schema`, which test suites use to give the kind of an invalid document (SPEC-W-05). */
function kindOfSchema(hint: Json | undefined): Kind | undefined {
  return SCHEMAS.get(typeof hint === 'string' ? hint.slice(hint.lastIndexOf('/') + 1) : undefined)
}

function isManifestPlatform(platform: Json | undefined): boolean {
  return isObject(platform ?? null) && Object.hasOwn(platform as JsonObject, 'aaif_conformance_level')
}

function shapeOf(envelope: JsonObject): Shape {
  if (Object.hasOwn(envelope, 'section_update')) return 'section-update'
  return Object.hasOwn(envelope, 'sections') ? 'sectioned' : 'simple'
}

/** Cards may have any additional members, including those that identify other formats (AgentCard §5). */
function isCard(value: JsonObject): boolean {
  const { agent_id, capabilities, endpoint } = value
  return typeof agent_id === 'string' && Array.isArray(capabilities) && isObject(endpoint ?? null)
}

/** Only cards may be a string that contains the document (AgentCard §3). */
function holdsCard(text: string): boolean {
  if (!/^\s*\{/.test(text) || text.length > MAX_EMBEDDED) return false
  try {
    const value = JSON.parse(text) as Json
    return isObject(value) && isCard(value)
  } catch {
    return false
  }
}

/** Other formats also have a member `agent`; only that of AAIF has a goal. */
function isAgentBlock(agent: Json): boolean {
  return isObject(agent) && (Object.hasOwn(agent, 'goal') || Object.hasOwn(agent, 'name'))
}
