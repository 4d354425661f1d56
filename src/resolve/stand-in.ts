import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'

/**
 * Stands in for a sub-agent that a rehearsal does not find: an agent without tools. It gives what its caller
 * promises to give, so that a caller which hands the answer on unchanged can be rehearsed as well.
 */
export function standInFor(ref: string, caller: AgentDefinition): AgentDefinition {
  const output_schema = caller.agent.io?.output_schema
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
