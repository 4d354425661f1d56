import type { Finding } from '../../../document/finding.ts'
import { appendStep } from '../../../document/json-pointer.ts'
import { schemeOf, schemesOf } from '../endpoint-scheme.ts'
import type { AgentDefinition, Tool } from '../generated/agent.ts'

export function* checkTools({ agent }: AgentDefinition): Iterable<Finding> {
  const first = new Map<string, number>()
  for (const [index, tool] of (agent.tools ?? []).entries()) {
    const pointer = appendStep('/agent/tools', index)
    const earlier = first.get(tool.name)
    if (earlier === undefined) first.set(tool.name, index)
    else yield duplicateTool(pointer, tool.name, earlier)
    yield* checkEndpoint(tool, pointer)
  }
}

function duplicateTool(pointer: string, name: string, earlier: number): Finding {
  return {
    severity: 'error',
    code: 'DUPLICATE_TOOL',
    pointer: `${pointer}/name`,
    message: `tool ${earlier} is called ${name} too`,
    hint: 'give each tool a name of its own: the model calls it by name',
    rule: 'SPEC-D-14',
  }
}

function* checkEndpoint({ protocol, endpoint }: Tool, tool: string): Iterable<Finding> {
  const pointer = `${tool}/endpoint`
  if (endpoint !== undefined && hasPassword(endpoint)) {
    yield {
      severity: 'error',
      code: 'SECRET_INLINE',
      pointer,
      message: 'this address holds a password',
      hint: 'remove it, and name the secret in auth.env_var or auth.vault_ref',
      rule: 'AAIF-12-04',
    }
  }
  if (protocol === undefined) {
    if (endpoint !== undefined) yield undetermined(tool)
    return
  }
  const schemes = schemesOf(protocol)
  if (schemes === undefined) return
  if (endpoint === undefined) {
    yield {
      severity: 'warning',
      code: 'ENDPOINT_MISSING',
      pointer,
      mark: 'parent',
      message: `a tool with protocol ${protocol} needs an endpoint to be called`,
      hint: 'add "endpoint"; without it the definition cannot be Portable',
      rule: 'AAIF-6-04',
    }
    return
  }
  const scheme = schemeOf(endpoint)
  if (!schemes.includes(scheme)) {
    yield {
      severity: 'warning',
      code: 'ENDPOINT_SCHEME',
      pointer,
      message: `a tool with protocol ${protocol} cannot be reached ${scheme === '' ? 'without a scheme' : `by ${scheme}:`}`,
      hint: `use one of ${schemes.map((known) => (known === '' ? 'a local path' : `${known}:`)).join(', ')}`,
      rule: protocol === 'mcp' ? 'AAIF-4.4-03' : protocol === 'openapi' ? 'AAIF-4.4-06' : 'SPEC-G-01',
    }
  } else if ((scheme === 'http' || scheme === 'ws') && !isLoopback(endpoint)) {
    yield {
      severity: 'warning',
      code: 'ENDPOINT_UNENCRYPTED',
      pointer,
      message: `${scheme}: sends arguments, answers and secrets in the clear`,
      hint: `use ${scheme}s:`,
      rule: protocol === 'mcp' ? 'AAIF-4.4-03' : 'AAIF-12-01',
    }
  }
}

function undetermined(tool: string): Finding {
  return {
    severity: 'warning',
    code: 'PROTOCOL_UNDETERMINED',
    pointer: `${tool}/protocol`,
    mark: 'parent',
    message: 'the tool has an endpoint but no protocol, so nobody can tell how to call it',
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
