import { isOrdinaryVariable } from '../policy/ordinary-variable.ts'
import type { McpServers } from './operator-settings.ts'
import type { PlannedTool } from './plan.ts'

/**
 * Names of the secrets that the processes behind these tools are given: every variable that the configuration names
 * for them, unless it is known to be none. Their values are kept out of the record.
 */
export function serverSecrets(tools: readonly PlannedTool[], servers: McpServers = {}): readonly string[] {
  return tools.flatMap(({ gate, protocol, binding }) => {
    const name = binding?.server
    if (gate === 'deny' || protocol !== 'mcp' || typeof name !== 'string' || !Object.hasOwn(servers, name))
      return []
    const server = servers[name]
    return server !== undefined && 'env' in server
      ? (server.env ?? []).filter((env) => !isOrdinaryVariable(env))
      : []
  })
}
