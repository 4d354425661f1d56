import type { JsonObject } from '../document/json.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'

/**
 * Returns a replacement for a sub-agent that a rehearsal does not find: an agent without tools. It has the output schema
 * of its caller, so that a caller that returns the answer unchanged can be rehearsed too.
 */
export function standInFor(ref: string, output_schema: JsonObject | undefined): AgentDefinition {
  return {
    sc_standard: 'SC-006',
    sc_version: '3.4.0',
    agent: {
      name: ref,
      goal: `Stand in for ${ref}, which was not found.`,
      ...(output_schema !== undefined && { io: { output_schema } }),
    },
  }
}
