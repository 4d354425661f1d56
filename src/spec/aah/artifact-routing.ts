import { readTimestamp } from '../timestamp.ts'
import type { ArtifactEnvelope } from './generated/artifact-envelope.ts'

/** Whom an artifact is for. */
export type Recipient =
  | { readonly kind: 'agent'; readonly agentId: string }
  | { readonly kind: 'role'; readonly role: string }

/** The recipient that an envelope names (§2.8): the agent, and the role only when the agent is not known. */
export function recipientOf({ handoff }: ArtifactEnvelope): Recipient | undefined {
  if (handoff?.target_agent !== undefined) return { kind: 'agent', agentId: handoff.target_agent }
  return handoff?.target_role === undefined ? undefined : { kind: 'role', role: handoff.target_role }
}

/** The answer, linked to the artifact that asked for it (§2.8). */
export function asResponseTo<E extends Pick<ArtifactEnvelope, 'handoff'>>(
  request: ArtifactEnvelope,
  answer: E,
): E {
  const parents = answer.handoff?.parent_artifact_ids ?? []
  const linked = parents.includes(request.artifact.id) ? parents : [...parents, request.artifact.id]
  return { ...answer, handoff: { ...answer.handoff, parent_artifact_ids: linked } }
}

/**
 * How the answer that an artifact asks for stands (§2.8).
 * @param others artifacts among which the answer may be.
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
