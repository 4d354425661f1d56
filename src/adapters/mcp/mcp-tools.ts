import { rawNumbers } from '../../document/exact-numbers.ts'
import type { Json, JsonObject } from '../../document/json.ts'
import { wellFormed } from '../../document/well-formed.ts'
import type { PlannedTool } from '../../plan/plan.ts'
import type { Discovery } from '../../plan/snapshot.ts'
import { ToolFailure, type ToolPort, type ToolRequest } from '../../run/ports.ts'
import { LONGEST_TIMER_MS } from '../clock/system-clock.ts'
import { causeOf, GateRefusal } from '../net/gate-refusal.ts'
import { toJsonData } from '../tools/json-data.ts'
import { createConnections, type McpOptions } from './connections.ts'
import { addressed, type McpTarget, targetOfServer } from './endpoint.ts'
import { whyOf } from './failure.ts'
import { parameterHeaders } from './header-parameters.ts'
import { discoverTools, type McpDeclaration } from './list-tools.ts'
import type { McpConnection } from './open-connection.ts'

/** The MCP servers of a run: discovery and calls (AAIF §4.4). Connects to a server on first use. */
export interface McpTools extends ToolPort {
  discover(tool: McpDeclaration, signal?: AbortSignal): Promise<Discovery>
  /** Closes all connections and ends all started processes. */
  close(): Promise<void>
}

const IDLE_MS = 60_000

export function openMcpTools(options: McpOptions): McpTools {
  const connections = createConnections(options)
  return {
    discover: (tool, signal) => discoverTools(tool, options, connections, signal),
    close: () => connections.close(),
    async call(request, { signal }) {
      signal.throwIfAborted()
      const { tool } = request
      const target = targetOf(tool, options)
      const { asToolFailure, neverSent } = await import('./failure.ts')
      for (let attempt = 1; ; attempt += 1) {
        let connection: McpConnection
        try {
          connection = await connections.open(target, tool, signal)
        } catch (error) {
          signal.throwIfAborted()
          throw unreachable(tool, error)
        }
        try {
          return await callOver(connection, request, options.idleMs ?? IDLE_MS, signal)
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

async function callOver(
  { client, redact, sendsParameters }: McpConnection,
  { tool, args, key, headers }: ToolRequest,
  idleMs: number,
  signal: AbortSignal,
): Promise<Json> {
  const parameters = sendsParameters ? parameterHeaders(tool.parameters_schema ?? {}, args) : {}
  // Not `client.callTool`: it checks results against schemas of the server, whose patterns may never end.
  const result = await client.request(
    {
      method: 'tools/call',
      params: {
        name: String((tool.binding as JsonObject).tool),
        arguments: rawNumbers(wellFormed(structuredClone(args))),
        // One connection serves many calls, so the data of a call is sent within the call, on every transport.
        _meta: { 'waybill/idempotency-key': key, ...headers },
      },
    },
    {
      signal,
      ...(Object.keys(parameters).length > 0 && { headers: parameters }),
      // The tool port enforces the timeout of the tool, and reads the answer before it judges.
      timeout: tool.timeout_ms === undefined ? idleMs : LONGEST_TIMER_MS,
      resetTimeoutOnProgress: true,
      onprogress: () => {},
    },
  )
  const { resultOfCall } = await import('./call-answer.ts')
  return toJsonData(resultOfCall((result._meta ?? {}) as Record<string, Json>, tool, redact))
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
