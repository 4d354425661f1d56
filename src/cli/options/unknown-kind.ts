import { KINDS } from '../../spec/kinds.ts'
import { suggestChoice } from './suggest-choice.ts'

/** What to do about a document whose kind is not detected. */
export const UNKNOWN_KIND_HINT = `an agent definition begins with "sc_standard: SC-006" (\`waybill init\` writes one); for other documents give the kind with --kind: ${KINDS.join(', ')}`

/** Returns the hint for a name that is not a kind: the probable one, or all. */
export function kindHint(name: string): string {
  const meant = suggestChoice(name, KINDS)
  return meant === undefined ? `known kinds: ${KINDS.join(', ')}` : `did you mean ${meant}?`
}
