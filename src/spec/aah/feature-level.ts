import { isObject, type Json, type JsonObject } from '../../document/json.ts'
import { itemsAt, textAt } from '../loose-members.ts'
import type { ArtifactEnvelope } from './generated/artifact-envelope.ts'
import type { AahVersion } from './vocabulary.ts'

const APPROVAL_FEATURES: ReadonlySet<string> = new Set(['needs_approval', 'approved', 'needs_changes'])

/** Section members added in 0.3. */
const MEMBERS_OF_0_3 = [
  'type',
  'status',
  'approval_requested_at',
  'approval_requested_by',
  'approval_note',
  'decided_at',
  'decided_by',
  'decision_note',
]

/**
 * Returns the lowest version whose readers support this artifact: tasks or approvals need 0.3, sections 0.2, content
 * alone 0.1 (Backward Compatibility). The approval status draft alone does not need 0.3.
 */
export function featureLevel(envelope: ArtifactEnvelope | JsonObject): AahVersion {
  const value = envelope as JsonObject
  const sections = itemsAt(value, 'sections')
  if (sections.some(needsTaskOrApproval)) return '0.3'
  return Object.hasOwn(value, 'sections') || Object.hasOwn(value, 'section_update') ? '0.2' : '0.1'
}

function needsTaskOrApproval(section: Json): boolean {
  return textAt(section, 'type') === 'task' || APPROVAL_FEATURES.has(textAt(section, 'status') ?? '')
}

/**
 * Returns the aah_version to write: "0.3" if the artifact has any member added in 0.3, else "0.2", which all readers
 * support.
 */
export function versionToWrite(envelope: ArtifactEnvelope | JsonObject): '0.2' | '0.3' {
  const sections = itemsAt(envelope as JsonObject, 'sections')
  return sections.some(usesMemberOf03) ? '0.3' : '0.2'
}

function usesMemberOf03(section: Json): boolean {
  return isObject(section) && MEMBERS_OF_0_3.some((member) => Object.hasOwn(section, member))
}
