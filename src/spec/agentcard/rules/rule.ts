import type { Finding } from '../../../document/finding.ts'
import type { JsonObject } from '../../../document/json.ts'
import type { FindSchema } from '../../../schema/user-schema-bundle.ts'

/** Options for the validation of cards. */
export interface Strictness {
  /** Deviations that the dialect of the community repository allows are warnings, not errors. */
  readonly lenient: boolean
  /** Returns documents that schemas refer to. */
  readonly findSchema?: FindSchema | undefined
}

/** A rule that the schema cannot express. The card may have errors in other places. */
export type Rule = (card: JsonObject, strictness: Strictness) => Iterable<Finding>
