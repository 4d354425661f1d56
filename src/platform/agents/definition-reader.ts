import { encodingOfMediaType } from '../../document/media-types.ts'
import type { Trust } from '../../session/home.ts'
import type { AgentDefinition } from '../../spec/aaif/generated/agent.ts'
import { readUpload, type Upload, type UploadRules } from './read-upload.ts'
import { definitionIn, type StoredVersion } from './stored-version.ts'

/**
 * Reads the bytes of definitions. It may do so in another thread: a large definition takes seconds, in which this one
 * would answer no request and renew no lease.
 */
export interface DefinitionReader {
  /** Reads and examines an upload; see {@link readUpload} for its errors. */
  examine(
    body: Uint8Array,
    mediaType: string,
    about: { readonly trust: Trust; readonly uploader: string },
  ): Promise<Upload>
  /** Returns the definition in the bytes of a version. */
  content(version: StoredVersion): Promise<AgentDefinition>
}

/** Returns a reader that reads in this thread. */
export function readerInThisThread(rules: UploadRules): DefinitionReader {
  return {
    examine: async (body, mediaType, about) => readUpload(body, mediaType, rules, about),
    content: contentHere,
  }
}

export async function contentHere(version: StoredVersion): Promise<AgentDefinition> {
  return definitionIn(version)
}

/** Sizes that take less than 50 ms of this thread, in bytes. YAML takes ten times as long as the other encodings. */
const SMALL_YAML = 16 * 1024
const SMALL = 64 * 1024

/** Returns whether a definition is read in this thread: that is faster than asking another one. */
export function isSmall(body: Uint8Array, mediaType: string): boolean {
  return body.byteLength <= (encodingOfMediaType(mediaType) === 'yaml' ? SMALL_YAML : SMALL)
}
