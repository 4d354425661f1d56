import type { Finding } from '../../../document/finding.ts'
import type { AgentDefinition } from '../generated/agent.ts'
import type { Registered } from '../registries/registered.ts'

/** A rule that the schema cannot express, for a definition that the schema and the registries accept. */
export type Rule = (definition: AgentDefinition, registered: Registered) => Iterable<Finding>
