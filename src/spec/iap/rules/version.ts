import type { Finding } from '../../../document/finding.ts'
import type { JsonObject } from '../../../document/json.ts'
import { IAP_VERSION, IAP_VERSIONS } from '../vocabulary.ts'

/** Other versions may have other rules, so nothing else of such a document is judged by ours. */
export function unknownVersion({ iap_version: version }: JsonObject): Finding | undefined {
  if (typeof version !== 'string' || (IAP_VERSIONS as readonly string[]).includes(version)) return undefined
  return {
    severity: 'error',
    code: 'IAP_VERSION_UNSUPPORTED',
    pointer: '/iap_version',
    message: `this follows a version of IAP that is not known here; supported are ${IAP_VERSIONS.join(' and ')}`,
    hint: `write "${IAP_VERSION}"`,
    rule: 'IAP-task-04',
  }
}
