import { encodingOfMediaType } from '../../document/media-types.ts'
import { readDocument } from '../../document/read-document.ts'
import type { AgentDefinition } from '../../spec/aaif/generated/agent.ts'
import { originalText } from '../database/stored-text.ts'
import type { AgentStatus } from './agent.ts'

/** A version of an agent as it is stored. It was validated when it was uploaded. */
export interface StoredVersion {
  readonly agent_id: string
  readonly version: string
  readonly status: AgentStatus
  /** `sha256:` of the bytes. */
  readonly digest: string
  /** SHA-256 of the canonical form, as plans name it. */
  readonly definition: string
  readonly media_type: string
  readonly body: Buffer
  /** As stored; see {@link uploaderOf}. */
  readonly uploaded_by: string
}

/** Columns of a {@link StoredVersion}, of the table `v`. */
export const VERSION_COLUMNS =
  'v.agent_id, v.version, v.status, v.digest, v.definition, v.media_type, v.body, v.uploaded_by'

/** Returns the definition in the bytes of a version. */
export function definitionIn({ agent_id, version, media_type, body }: StoredVersion): AgentDefinition {
  const encoding = encodingOfMediaType(media_type)
  const { document } = readDocument(body, encoding === undefined ? {} : { encoding })
  if (document === undefined) throw new Error(`version ${version} of agent ${agent_id} cannot be read`)
  return document.value as unknown as AgentDefinition
}

/**
 * Returns the source of an organisation's agent, which decides its identity: memory and grants belong to the agent of the
 * organisation, whatever version is run. Agents of other organisations have another home.
 */
export function sourceOf({ agent_id }: Pick<StoredVersion, 'agent_id'>): string {
  return `agent:${agent_id}`
}

/** Returns the name of the user who uploaded a version. */
export function uploaderOf({ uploaded_by }: Pick<StoredVersion, 'uploaded_by'>): string {
  return originalText(uploaded_by)
}
