import type { ReadOptions } from '../../document/read-document.ts'
import { parseDocument, type Source } from '../parse-document.ts'
import type { PlatformManifest } from './generated/manifest.ts'
import { validatePlatformManifest } from './validate-platform-manifest.ts'

/**
 * Reads a Platform Manifest (AAIF §7) and returns its data unchanged.
 * @throws WaybillError with the code, pointer and rule of the first error, and the number of others.
 */
export function parsePlatformManifest(source: Source, options: ReadOptions = {}): PlatformManifest {
  return parseDocument(source, validatePlatformManifest, options)
}
