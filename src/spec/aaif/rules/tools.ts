import type { Finding } from '../../../document/finding.ts'
import { schemeOf, schemesOf } from '../endpoint-scheme.ts'
import type { AgentDefinition, Tool } from '../generated/agent.ts'

export function checkTools({ agent }: AgentDefinition): readonly Finding[] {
  const findings: Finding[] = []
  const first = new Map<string, number>()
  for (const [index, tool] of (agent.tools ?? []).entries()) {
    const earlier = first.get(tool.name)
    if (earlier === undefined) first.set(tool.name, index)
    else findings.push(duplicateTool(`/agent/tools/${index}`, tool.name, earlier))
    if (tool.endpoint !== undefined && hasPassword(tool.endpoint))
      findings.push(passwordInAddress(`/agent/tools/${index}/endpoint`))
    const finding = checkEndpoint(tool, index)
    if (finding !== undefined) findings.push(finding)
  }
  return findings
}

function duplicateTool(pointer: string, name: string, earlier: number): Finding {
  return {
    severity: 'error',
    code: 'DUPLICATE_TOOL',
    pointer: `${pointer}/name`,
    message: `tool ${earlier} is also named ${name}`,
    hint: 'give each tool a unique name: the model calls it by name',
    rule: 'SPEC-D-14',
  }
}

function passwordInAddress(pointer: string): Finding {
  return {
    severity: 'error',
    code: 'SECRET_INLINE',
    pointer,
    message: 'this address contains a password',
    hint: 'remove it, and name the secret in auth.env_var or auth.vault_ref',
    rule: 'AAIF-12-04',
  }
}

function checkEndpoint({ protocol, endpoint }: Tool, index: number): Finding | undefined {
  if (protocol === undefined)
    return endpoint === undefined ? undefined : undetermined(`/agent/tools/${index}/protocol`)
  const schemes = schemesOf(protocol)
  if (schemes === undefined) return undefined
  if (endpoint === undefined) {
    return {
      severity: 'warning',
      code: 'ENDPOINT_MISSING',
      pointer: `/agent/tools/${index}/endpoint`,
      mark: 'parent',
      message: `a tool with protocol ${protocol} needs an endpoint`,
      hint: 'add "endpoint"; without it the definition cannot be Portable',
      rule: 'AAIF-6-04',
    }
  }
  const scheme = schemeOf(endpoint)
  if (!schemes.includes(scheme)) {
    return {
      severity: 'warning',
      code: 'ENDPOINT_SCHEME',
      pointer: `/agent/tools/${index}/endpoint`,
      message: `a tool with protocol ${protocol} does not support an endpoint ${scheme === '' ? 'without a scheme' : `with the scheme ${scheme}:`}`,
      hint: `use one of ${schemes.map((known) => (known === '' ? 'a local path' : `${known}:`)).join(', ')}`,
      rule: protocol === 'mcp' ? 'AAIF-4.4-03' : protocol === 'openapi' ? 'AAIF-4.4-06' : 'SPEC-G-01',
    }
  }
  if ((scheme !== 'http' && scheme !== 'ws') || isLoopback(endpoint)) return undefined
  return {
    severity: 'warning',
    code: 'ENDPOINT_UNENCRYPTED',
    pointer: `/agent/tools/${index}/endpoint`,
    message: `${scheme}: sends arguments, answers and secrets without encryption`,
    hint: `use ${scheme}s:`,
    rule: protocol === 'mcp' ? 'AAIF-4.4-03' : 'AAIF-12-01',
  }
}

function undetermined(pointer: string): Finding {
  return {
    severity: 'warning',
    code: 'PROTOCOL_UNDETERMINED',
    pointer,
    mark: 'parent',
    message: 'the tool has an endpoint but no protocol, so the protocol cannot be determined',
    hint: 'add "protocol": mcp, http or openapi; until then the tool is not activated',
    rule: 'AAIF-4.4-01',
  }
}

function hasPassword(endpoint: string): boolean {
  return endpoint.includes('@') && (URL.parse(endpoint)?.password ?? '') !== ''
}

function isLoopback(endpoint: string): boolean {
  if (!URL.canParse(endpoint)) return false
  const { hostname } = new URL(endpoint)
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
}
