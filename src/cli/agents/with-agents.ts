import type { Io } from '../io.ts'
import type { FormatOptions } from '../options/run-options.ts'
import { type AgentsThere, agentsAt } from '../remote/find-agent.ts'
import { type OnPlatformOptions, onPlatform } from '../remote/on-platform.ts'

export interface AgentOptions extends OnPlatformOptions, FormatOptions {}

/** Acts on the agents of a server, or of the database of this machine. */
export function withAgents<T>(
  options: AgentOptions,
  io: Io,
  act: (agents: AgentsThere) => Promise<T>,
): Promise<T> {
  return onPlatform(
    options,
    io,
    (server) => act(agentsAt(server)),
    ({ agents }) => act(agents),
  )
}
