import { isOrdinaryVariable } from '../policy/ordinary-variable.ts'
import type { McpServers } from './operator-settings.ts'
import type { PlannedTool } from './plan.ts'

/**
 * Returns the names of the secrets that the server processes of these tools get: all variables configured for them,
 * except variables known not to be secret. Their values are kept out of records.
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
