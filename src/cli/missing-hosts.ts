import type { Plan } from '../plan/plan.ts'
import { type Grants, judgeUrl, parseHostGrant } from '../policy/endpoint-gate.ts'

export interface MissingHost {
  /** `HOST`, or `HOST:PORT` when the port is not the scheme's own. */
  readonly host: string
  readonly tools: readonly string[]
}

/**
 * Public hosts that a run's http and openapi tools need and that nobody has granted. Private ones are never among them:
 * they are opened on the command line, or not at all.
 * @param denied what the project takes away; asking for it would be in vain
 */
export function missingHosts(plan: Plan, grants: Grants, denied: readonly string[]): readonly MissingHost[] {
  const missing = new Map<string, string[]>()
  for (const { name, protocol, endpoint } of plan.tools) {
    const overHttp = protocol === 'http' || protocol === 'openapi'
    const url = overHttp && endpoint !== undefined ? URL.parse(endpoint) : null
    if (url === null) continue
    const verdict = judgeUrl(url, grants)
    if (verdict.allowed || verdict.code !== 'ENDPOINT_NOT_GRANTED') continue
    if (denied.some((host) => parseHostGrant(host).host === parseHostGrant(url.host).host)) continue
    missing.set(url.host, [...(missing.get(url.host) ?? []), name])
  }
  return [...missing].map(([host, tools]) => ({ host, tools }))
}
