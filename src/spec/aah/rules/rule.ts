import type { Finding } from '../../../document/finding.ts'
import type { JsonObject } from '../../../document/json.ts'
import type { JudgeOptions } from '../../kinds.ts'

/** A rule that the schema cannot say. It judges what is sound and passes over what the schema has refused. */
export type Rule = (envelope: JsonObject, options: JudgeOptions) => Iterable<Finding>
