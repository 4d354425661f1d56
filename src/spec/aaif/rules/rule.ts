import type { Finding } from '../../../document/finding.ts'
import type { AgentDefinition } from '../generated/agent.ts'

/** A rule that the schema cannot say, about a definition that the schema accepts. */
export type Rule = (definition: AgentDefinition) => Iterable<Finding>
