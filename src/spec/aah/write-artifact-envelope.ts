import { randomUUID } from 'node:crypto'
import type { Encoding } from '../../document/document.ts'
import { encodeDocument } from '../../document/encode-document.ts'
import type { Json } from '../../document/json.ts'
import { parseDocument } from '../parse-document.ts'
import { versionToWrite } from './feature-level.ts'
import type { ArtifactEnvelope } from './generated/artifact-envelope.ts'
import { validateArtifactEnvelope } from './validate-artifact-envelope.ts'

/** An envelope without aah_version. */
export type UnwrittenEnvelope = Omit<ArtifactEnvelope, 'aah_version'>

/**
 * Returns the bytes of an envelope with the lowest version that supports all its members (§2.1). Validates it as the
 * author's own: types that only readers accept, and secrets, are refused.
 * @throws WaybillError with the code, pointer and rule of the first error; the message names the others.
 */
export function writeArtifactEnvelope(
  { aah_version: _, ...envelope }: UnwrittenEnvelope & { readonly aah_version?: string },
  encoding: Encoding = 'json',
): Uint8Array {
  const written = {
    aah_version: versionToWrite(envelope as ArtifactEnvelope),
    ...envelope,
  } as unknown as Json
  return encodeDocument(
    parseDocument<Json>(written, (input) => validateArtifactEnvelope(input, { authoring: true })),
    encoding,
  )
}

/** Returns a new artifact id: a UUID with a prefix (§2.2). */
export function newArtifactId(): string {
  return `aah_${randomUUID()}`
}
