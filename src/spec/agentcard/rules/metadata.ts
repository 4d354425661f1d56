import type { Finding } from '../../../document/finding.ts'
import type { JsonObject } from '../../../document/json.ts'
import { appendStep } from '../../../document/json-pointer.ts'
import { suggest } from '../../../document/suggest.ts'
import { objectAt } from '../../loose-members.ts'
import { COMPUTED_KEYS, SUBSTRATE_SCOPE_KEY, TRUST_TIER_KEY } from '../vocabulary.ts'
import type { Strictness } from './rule.ts'

const DEFINED: readonly string[] = [TRUST_TIER_KEY, SUBSTRATE_SCOPE_KEY]

/** Warns about keys that begin with `pacr:` and are not defined; readers ignore them (§2.7). */
export function* checkMetadata(card: JsonObject, { lenient }: Strictness): Iterable<Finding> {
  for (const key of Object.keys(objectAt(card, 'metadata'))) {
    if (!key.startsWith('pacr:') || DEFINED.includes(key)) continue
    const computed = COMPUTED_KEYS.includes(key)
    if (computed && lenient) continue
    const meant = suggest(key, DEFINED)
    yield {
      severity: 'warning',
      code: 'METADATA_KEY_RESERVED',
      pointer: appendStep('/metadata', key),
      mark: 'key',
      message: 'keys that begin with "pacr:" are reserved, and this one is not defined: readers ignore it',
      hint:
        meant !== undefined
          ? `did you mean "${meant}"?`
          : computed
            ? 'remove it: each reader computes it from its own records'
            : 'use another prefix, or none',
      rule: 'CARD-2.7-02',
    }
  }
}
