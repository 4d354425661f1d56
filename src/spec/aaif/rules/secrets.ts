import type { Finding } from '../../../document/finding.ts'
import type { Json } from '../../../document/json.ts'
import { secretFindings } from '../../secret-findings.ts'

/**
 * Finds secrets, which are not allowed anywhere in a document (§4.4, §12).
 * @param tokens pointers that may contain a token.
 */
export function checkSecrets(value: Json, tokens?: RegExp): Iterable<Finding> {
  return secretFindings(value, (pointer) => {
    if (tokens?.test(pointer) === true) return null
    const named = pointer.startsWith('/agent/') ? '; name it by auth.env_var or auth.vault_ref' : ''
    return {
      rule: pointer.startsWith('/agent/tools/') ? 'AAIF-12-04' : 'AAIF-4.4-10',
      certain: `remove it and revoke it, because it may have been read${named}`,
      suspected: `if it is one, remove it${named}`,
    }
  })
}
