/** `waybill/spec`: the kinds of documents, their types, schemas and rules. */
export { agentSchema } from './aaif/agent.schema.ts'
export type { AgentDefinition } from './aaif/generated/agent.ts'
export { parseAgentDefinition } from './aaif/parse-agent-definition.ts'
export { validateAgentDefinition } from './aaif/validate-agent-definition.ts'
export { withDefaults } from './aaif/with-defaults.ts'
