import { randomUUID } from 'node:crypto'
import type { Encoding } from '../../document/document.ts'
import { encodeDocument } from '../../document/encode-document.ts'
import type { Json } from '../../document/json.ts'
import { parseDocument } from '../parse-document.ts'
import { versionToWrite } from './feature-level.ts'
import type { ArtifactEnvelope } from './generated/artifact-envelope.ts'
import { validateArtifactEnvelope } from './validate-artifact-envelope.ts'

/** An envelope whose version is still to be written. */
export type UnwrittenEnvelope = Omit<ArtifactEnvelope, 'aah_version'>

/**
 * The bytes of an envelope, under the lowest version that has all it uses (§2.1). Judged as its author's: types that
 * readers merely put up with, and secrets, are refused.
 * @throws WaybillError with the code, place and rule of the first error; the message names the others.
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

/** A new id for an artifact: a UUID with a prefix that says what it is of (§2.2). */
export function newArtifactId(): string {
  return `aah_${randomUUID()}`
}
