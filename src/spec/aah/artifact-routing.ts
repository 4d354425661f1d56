import { readTimestamp } from '../timestamp.ts'
import type { ArtifactEnvelope } from './generated/artifact-envelope.ts'

/** The recipient of an artifact. */
export type Recipient =
  | { readonly kind: 'agent'; readonly agentId: string }
  | { readonly kind: 'role'; readonly role: string }

/** Returns the recipient that an envelope names (§2.8): the agent, or the role if no agent is given. */
export function recipientOf({ handoff }: ArtifactEnvelope): Recipient | undefined {
  if (handoff?.target_agent !== undefined) return { kind: 'agent', agentId: handoff.target_agent }
  return handoff?.target_role === undefined ? undefined : { kind: 'role', role: handoff.target_role }
}

/** Returns the response, linked to the artifact that requested it (§2.8). */
export function asResponseTo<E extends Pick<ArtifactEnvelope, 'handoff'>>(
  request: ArtifactEnvelope,
  answer: E,
): E {
  const parents = answer.handoff?.parent_artifact_ids ?? []
  const linked = parents.includes(request.artifact.id) ? parents : [...parents, request.artifact.id]
  return { ...answer, handoff: { ...answer.handoff, parent_artifact_ids: linked } }
}

/**
 * Returns the status of the response that an artifact requests (§2.8).
 * @param others artifacts that may be the response.
 * @param nowMs milliseconds since 1970.
 */
export function responseStatus(
  { artifact, handoff }: ArtifactEnvelope,
  others: readonly ArtifactEnvelope[],
  nowMs: number,
): 'none-expected' | 'answered' | 'waiting' | 'overdue' {
  if (handoff?.expects_response !== true) return 'none-expected'
  if (others.some((other) => other.handoff?.parent_artifact_ids?.includes(artifact.id))) return 'answered'
  const due = readTimestamp(handoff.response_deadline ?? '')?.ms ?? Number.POSITIVE_INFINITY
  return nowMs > due ? 'overdue' : 'waiting'
}
