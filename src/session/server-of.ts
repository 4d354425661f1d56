import { isObject } from '../document/json.ts'
import type { PlannedTool } from '../plan/plan.ts'

/** Returns the name of the server that a tool belongs to, for a person: as configured, else its host. */
export function serverOf(tool: Pick<PlannedTool, 'binding' | 'endpoint' | 'name'> | undefined): string {
  const { server, url } = isObject(tool?.binding) ? tool.binding : {}
  if (typeof server === 'string') return server
  const address = typeof url === 'string' ? url : tool?.endpoint
  if (address === undefined) return tool?.name ?? 'unknown'
  return URL.canParse(address) && new URL(address).host !== '' ? new URL(address).host : address
}
