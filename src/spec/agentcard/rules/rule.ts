import type { Finding } from '../../../document/finding.ts'
import type { JsonObject } from '../../../document/json.ts'

/** How cards are judged. */
export interface Strictness {
  /** What only the community repository's dialect allows is a warning. */
  readonly lenient: boolean
}

/** A rule that the schema cannot say. The card may be broken elsewhere. */
export type Rule = (card: JsonObject, strictness: Strictness) => Iterable<Finding>
