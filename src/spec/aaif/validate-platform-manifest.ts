import { createRequire } from 'node:module'
import type { Document } from '../../document/document.ts'
import type { Issue } from '../../document/issue.ts'
import type { Json } from '../../document/json.ts'
import { lazyModule } from '../../document/lazy-module.ts'
import type * as Explain from './explain-manifest-errors.ts'
import type { PlatformManifest } from './generated/manifest.ts'
import { validate } from './generated/manifest.validate.js'
import { type DocumentKind, judgeDocument } from './judge-document.ts'
import {
  checkIntake,
  checkManifestExtensions,
  checkManifestFormats,
  checkManifestVersion,
} from './rules/manifest-rules.ts'

const require = createRequire(import.meta.url)
const loadExplain = lazyModule<typeof Explain>(() => require('./explain-manifest-errors.ts'))

const PLATFORM_MANIFEST: DocumentKind<PlatformManifest> = {
  name: 'a Platform Manifest',
  rule: 'SPEC-U-01',
  validate,
  explain: (errors, value) => loadExplain().explainManifestErrors(errors, value),
  rules: [checkManifestVersion, checkManifestFormats, checkIntake, checkManifestExtensions],
}

/**
 * Validates a Platform Manifest (AAIF §7) and returns all issues in reading order. If no issue is an error, the value
 * is a `PlatformManifest`.
 */
export function validatePlatformManifest(input: Document | Json): Issue[] {
  return judgeDocument(input, PLATFORM_MANIFEST)
}
