import type { Severity } from '../../../document/issue.ts'
import type { Json, JsonObject } from '../../../document/json.ts'
import type { Kind } from '../../kinds.ts'
import type { RuleEntry } from '../../rule-entry.ts'

/** What an entry says; the rest is the same for most rules of a kind. */
export type EntryParts = Pick<RuleEntry, 'codes' | 'sentence' | 'wrong'> & {
  readonly right?: Json
  readonly severity?: Severity
  readonly enforced?: RuleEntry['enforced']
}

export type Entry = (id: string, section: string, parts: EntryParts) => RuleEntry

/** Makes the entries of one kind. @param right the document that keeps every rule for which none is given. */
export function entriesOf(kind: Kind, right: Json): Entry {
  return (id, section, parts) => ({
    id,
    kind,
    severity: 'error',
    source: `AAIF §${section}`,
    enforced: 'validation',
    right,
    ...parts,
  })
}

/** An object without one of its members. */
export function without(object: JsonObject, member: string): JsonObject {
  const { [member]: _left, ...rest } = object
  return rest
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/** Text in the form of an access key, put together at run time: no scanner of sources may take it for one. */
export const LOOKS_LIKE_A_KEY = `AK${'IA'}${LETTERS.slice(3, 19).toUpperCase().replace('H', '7').replace('M', '2')}`
