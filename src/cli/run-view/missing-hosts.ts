import type { Plan } from '../../plan/plan.ts'
import { callFingerprint, hostsForUse } from '../../policy/call-fingerprint.ts'
import { type Grants, judgeConnection } from '../../policy/endpoint-gate.ts'

export interface MissingHost {
  /** Returns `HOST`, or `HOST:PORT` if the port is not the default port of the scheme. */
  readonly host: string
  readonly tools: readonly string[]
}

/**
 * Returns the public hosts that the tools of a run need and that are not granted. Private hosts are not included: only
 * the command line can allow them. Hosts that the project denies are not included either.
 */
export function missingHosts(plan: Plan, grants: Grants): readonly MissingHost[] {
  const missing = new Map<string, string[]>()
  for (const tool of plan.tools) {
    const { name, protocol, endpoint } = tool
    // The address of an MCP server is in the configuration.
    const url = protocol === 'mcp' || endpoint === undefined ? null : URL.parse(endpoint)
    if (url === null) continue
    const verdict = judgeConnection(url, hostsForUse(grants, callFingerprint(tool)))
    if (verdict.allowed || verdict.code !== 'ENDPOINT_NOT_GRANTED') continue
    missing.set(url.host, [...(missing.get(url.host) ?? []), name])
  }
  return [...missing].map(([host, tools]) => ({ host, tools }))
}
