import type { McpServers } from './operator-settings.ts'
import type { PlannedTool } from './plan.ts'

/** Variables that tell of a machine and its user, and of nothing that opens a door. */
const ORDINARY =
  /^(PATH|HOME|USER|LOGNAME|SHELL|TERM|LANG|LC_[A-Z]+|TZ|TMPDIR|PWD|CI|NO_COLOR|DEBUG|NODE_ENV|NODE_OPTIONS|XDG_[A-Z_]+)$/

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
      ? (server.env ?? []).filter((env) => !ORDINARY.test(env))
      : []
  })
}
