import type { Finding } from '../../../document/finding.ts'
import type { JsonObject } from '../../../document/json.ts'
import { IAP_VERSION, IAP_VERSIONS } from '../vocabulary.ts'

/** Other versions may have other rules, so no other rule is applied to such a document. */
export function unknownVersion({ iap_version: version }: JsonObject): Finding | undefined {
  if (typeof version !== 'string' || (IAP_VERSIONS as readonly string[]).includes(version)) return undefined
  return {
    severity: 'error',
    code: 'IAP_VERSION_UNSUPPORTED',
    pointer: '/iap_version',
    message: `this version of IAP is not supported; supported versions: ${IAP_VERSIONS.join(' and ')}`,
    hint: `write "${IAP_VERSION}"`,
    rule: 'IAP-task-04',
  }
}
