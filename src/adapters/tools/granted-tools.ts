import type { PlannedTool } from '../../plan/plan.ts'
import { callFingerprint, hostsForUse } from '../../policy/call-fingerprint.ts'
import { type Grants, judgeConnection } from '../../policy/endpoint-gate.ts'
import { ToolFailure, type ToolPort } from '../../run/ports.ts'

/**
 * Refuses a call whose host is granted only for other calls. The plan has refused such tools; the grants of a run may
 * have changed since it was planned.
 */
export function grantedTools(port: ToolPort, grants: Grants): ToolPort {
  const bound = grants.hosts.some(({ uses }) => uses !== undefined)
  if (!bound) return port
  return {
    async call(request, options) {
      assertGranted(request.tool, grants)
      return port.call(request, options)
    },
  }
}

/** A host that is granted for no call at all is refused by the transport. */
function assertGranted(tool: PlannedTool, grants: Grants): void {
  const address = tool.protocol === 'mcp' ? tool.binding?.url : tool.endpoint
  if (typeof address !== 'string' || !judgeConnection(address, grants).allowed) return
  const verdict = judgeConnection(address, hostsForUse(grants, callFingerprint(tool)))
  if (verdict.allowed) return
  const why = `${verdict.reason} for this call; ${verdict.hint}`
  throw new ToolFailure(verdict.code, `${tool.name} was not called: ${why}`, 'unsent')
}
