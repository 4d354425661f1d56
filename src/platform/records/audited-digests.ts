import { sha256 } from '../../document/canonical.ts'
import type { Json } from '../../document/json.ts'
import type { AuditFact } from '../../trust/audit-chain.ts'

/** Members with texts that a person has written or that follow from a call, by the beginning of the kind of an entry. */
const TEXTS: readonly (readonly [kind: string, members: readonly string[]])[] = [
  ['grant.', ['why', 'what']],
  ['person.', ['why']],
  ['stop.', ['reason']],
]

/**
 * Returns a fact as an organisation's audit log keeps it: with digests in place of texts, because the log outlives the data
 * of a user. Who may see the text finds it in the record, and can compare it with the digest.
 */
export function withDigests(fact: AuditFact): AuditFact {
  const members = TEXTS.find(([kind]) => fact.kind.startsWith(kind))?.[1] ?? []
  // The text of a host or of a secret names a setting.
  const isSetting = fact.kind.startsWith('grant.') && fact.sort !== 'call'
  const changed: Record<string, Json> = {}
  for (const name of members) {
    const value = fact[name]
    if (typeof value === 'string' && !(isSetting && name === 'what')) changed[name] = digestOf(value)
  }
  return { ...fact, ...changed }
}

function digestOf(text: string): string {
  return `sha256:${sha256(text)}`
}
