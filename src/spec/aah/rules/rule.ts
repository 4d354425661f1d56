import type { Finding } from '../../../document/finding.ts'
import type { JsonObject } from '../../../document/json.ts'
import type { JudgeOptions } from '../../kinds.ts'

/** A rule that the schema cannot express. It checks the valid parts and skips the parts that the schema has refused. */
export type Rule = (envelope: JsonObject, options: JudgeOptions) => Iterable<Finding>
