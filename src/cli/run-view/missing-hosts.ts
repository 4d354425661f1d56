import type { Plan } from '../../plan/plan.ts'
import { type Grants, judgeConnection } from '../../policy/endpoint-gate.ts'

export interface MissingHost {
  /** `HOST`, or `HOST:PORT` when the port is not the scheme's own. */
  readonly host: string
  readonly tools: readonly string[]
}

/**
 * Public hosts that a run's tools need and that nobody has granted. Private ones are never among them: they are opened
 * on the command line, or not at all. Neither are those that the project denies: asking for them would be in vain.
 */
export function missingHosts(plan: Plan, grants: Grants): readonly MissingHost[] {
  const missing = new Map<string, string[]>()
  for (const { name, protocol, endpoint } of plan.tools) {
    // An MCP server is set up in the configuration, where its address stands.
    const url = protocol === 'mcp' || endpoint === undefined ? null : URL.parse(endpoint)
    if (url === null) continue
    const verdict = judgeConnection(url, grants)
    if (verdict.allowed || verdict.code !== 'ENDPOINT_NOT_GRANTED') continue
    missing.set(url.host, [...(missing.get(url.host) ?? []), name])
  }
  return [...missing].map(([host, tools]) => ({ host, tools }))
}
