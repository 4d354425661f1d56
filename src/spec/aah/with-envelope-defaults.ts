import type { ArtifactEnvelope } from './generated/artifact-envelope.ts'

/**
 * The envelope with what its absent members mean: version 1 (§2.2), encoding utf-8 (§2.4), and, where the text is
 * silent, the reading that keeps most and shows least: retention permanent, visibility private. A partial update
 * says nothing about the rest of its artifact and is returned as it is.
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
