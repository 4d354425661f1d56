import type { PlannedTool } from '../../plan/plan.ts'
import type { Discovery } from '../../plan/snapshot.ts'
import { ToolFailure, type ToolPort } from '../../run/ports.ts'
import { causeOf, GateRefusal } from '../net/gate-refusal.ts'
import { createConnections, type McpOptions } from './connections.ts'
import { addressed, type McpTarget, targetOfServer } from './endpoint.ts'
import { whyOf } from './failure.ts'
import { HeldCalls } from './held-calls.ts'
import { discoverTools, type McpDeclaration } from './list-tools.ts'
import type { McpConnection } from './open-connection.ts'

/** The MCP servers of a run: discovery and calls (AAIF §4.4). Connects to a server on first use. */
export interface McpTools extends ToolPort {
  discover(tool: McpDeclaration, signal?: AbortSignal): Promise<Discovery>
  /** Closes all connections and ends all started processes. */
  close(): Promise<void>
}

export function openMcpTools(options: McpOptions): McpTools {
  const connections = createConnections(options)
  const held = new HeldCalls()
  return {
    discover: (tool, signal) => discoverTools(tool, options, connections, signal),
    close: async () => {
      await held.close()
      await connections.close()
    },
    async call(request, { signal }) {
      signal.throwIfAborted()
      const { tool } = request
      const target = targetOf(tool, options)
      const [{ asToolFailure, neverSent }, { callOver }] = await Promise.all([
        import('./failure.ts'),
        import('./call-over.ts'),
      ])
      for (let attempt = 1; ; attempt += 1) {
        let connection: McpConnection
        try {
          connection = await connections.open(target, tool, signal)
        } catch (error) {
          signal.throwIfAborted()
          throw unreachable(tool, error)
        }
        try {
          return await callOver(connection, request, { held, idleMs: options.idleMs, signal })
        } catch (error) {
          signal.throwIfAborted()
          if (neverSent(error) && attempt === 1) {
            await connection.close()
            continue
          }
          throw asToolFailure(tool.name, error, connection.redact)
        }
      }
    },
  }
}

function targetOf(tool: PlannedTool, { servers }: McpOptions): McpTarget {
  const { server, url, transport } = (tool.binding ?? {}) as {
    server?: string
    url?: string
    transport?: 'sse' | 'ws'
  }
  const target = server === undefined ? null : targetOfServer(server, servers)
  if (target !== null) return target
  if (url !== undefined) return addressed(url, transport)
  throw new ToolFailure(
    'MCP_SERVER_UNKNOWN',
    `${tool.name} was not called: the configuration no longer has the MCP server ${server ?? '(none was recorded)'}`,
    'unsent',
  )
}

function unreachable(tool: PlannedTool, error: unknown): ToolFailure {
  if (error instanceof ToolFailure) return error
  const refusal = causeOf(error, GateRefusal)
  if (refusal !== undefined) {
    return new ToolFailure(refusal.code, `${tool.name} was not called: ${refusal.message}`, 'unsent')
  }
  return new ToolFailure('MCP_UNREACHABLE', `${tool.name} was not called: ${whyOf(error)}`, 'unsent')
}
