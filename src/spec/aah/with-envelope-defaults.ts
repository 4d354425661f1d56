import type { ArtifactEnvelope } from './generated/artifact-envelope.ts'

/**
 * Returns the envelope with defaults for its absent members: version 1 (§2.2), encoding utf-8 (§2.4), and, where the
 * specification gives no default, retention permanent and visibility private. A partial update is returned unchanged.
 */
export function withEnvelopeDefaults(envelope: ArtifactEnvelope): ArtifactEnvelope {
  if (envelope.section_update !== undefined) return envelope
  const { artifact, content, lifecycle } = envelope
  return {
    ...envelope,
    artifact: { version: 1, ...artifact },
    ...(content !== undefined && { content: { encoding: 'utf-8', ...content } }),
    lifecycle: { retention: 'permanent', visibility: 'private', ...lifecycle },
  }
}
