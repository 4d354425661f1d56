import type { Registry } from '../generated/registry.ts'

/** `agent.required_capabilities[]` (§7). */
export const capabilitiesRegistry: Registry = {
  registry: 'aaif-capabilities',
  sc_standard: 'SC-006',
  description: 'Capabilities that an agent may require of its platform, as category.capability.',
  registration_policy: 'Expert Review',
  entries: [
    capability('tool.function', '2.0.0', 'Calls functions in its own process.'),
    capability('tool.mcp', '2.0.0', 'Calls tools of MCP servers.'),
    capability('tool.http', '2.0.0', 'Calls plain HTTP endpoints.'),
    capability('tool.openapi', '2.0.0', 'Calls the operations of OpenAPI documents.'),
    capability('memory.vector', '2.0.0', 'Keeps memory in any store with similarity search.'),
    capability('memory.redis', '2.0.0', 'Keeps memory in Redis.'),
    capability('memory.postgres', '2.0.0', 'Keeps memory in PostgreSQL.'),
    capability('memory.pinecone', '2.0.0', 'Keeps memory in Pinecone.'),
    capability('memory.qdrant', '2.0.0', 'Keeps memory in Qdrant.'),
    capability('orchestration.parallel', '2.0.0', 'Runs subagents at once.'),
    capability('orchestration.handoff', '2.0.0', 'Hands a run to another agent.'),
    capability('orchestration.pipeline', '2.0.0', 'Runs subagents one after another.'),
    capability('orchestration.consensus', '2.0.0', 'Combines several answers into one.'),
    capability('condition.structured', '3.2.0', 'Evaluates structured Conditions deterministically.'),
    capability('telemetry.otel', '2.0.0', 'Emits OpenTelemetry traces.'),
    capability('compliance.data_residency', '2.0.0', 'Keeps data in the declared region.'),
    capability('compliance.hitl', '2.0.0', 'Asks a person before writing calls.'),
    capability('compliance.audit_log', '2.0.0', 'Keeps a tamper-evident log.'),
    capability('io.streaming', '2.0.0', 'Streams output.'),
    capability('io.async', '2.0.0', 'Returns a job id and continues in the background.'),
    capability('io.batch', '2.0.0', 'Accepts a list of inputs.'),
    capability('auth.vault', '2.1.0', 'Reads secrets from vaults.'),
    capability('state.checkpoint', '3.0.0', 'Captures Agent State.'),
    capability('state.restore', '3.0.0', 'Resumes from a captured Agent State.'),
  ],
}

function capability(id: string, since: string, meaning: string) {
  return { id, category: id.slice(0, id.indexOf('.')), status: 'standard', since, meaning } as const
}
