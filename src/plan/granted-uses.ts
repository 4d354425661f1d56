import { defined } from '../document/defined.ts'
import type { Json, JsonObject } from '../document/json.ts'
import { callFingerprint, urlFingerprint } from '../policy/call-fingerprint.ts'
import type { AgentDefinition, Tool } from '../spec/aaif/generated/agent.ts'
import type { PlannedTool } from './plan.ts'
import { authOf } from './plan-tools.ts'

/** A use of a host by an agent: a planned call of a tool, or a URL that is fetched or called in another way. */
export interface GrantedUse {
  /** `HOST` or `HOST:PORT`, in the normal form of the endpoint gate. */
  readonly host: string
  /** Name of the secret used to sign in. */
  readonly secret?: string
  readonly fingerprint: string
}

/**
 * Returns the uses of hosts that a grant for one definition can cover: the planned tools, the connections that discover
 * them, and all other URLs in the definition (models, texts, documents, collectors).
 * @param tools of its plan, those of discovered operations included
 * @param definition absent if its source cannot be read any more
 */
export function grantedUses(
  tools: readonly PlannedTool[],
  definition: AgentDefinition | undefined,
): readonly GrantedUse[] {
  const uses: GrantedUse[] = []
  for (const tool of tools) {
    const fingerprint = callFingerprint(tool)
    const url = callUrl(tool)
    if (fingerprint !== undefined && url !== null) uses.push(useOf(url, fingerprint, tool.auth?.secret))
  }
  const { tools: declared, ...rest } = definition?.agent ?? {}
  for (const tool of declared ?? []) uses.push(...discoveryOf(tool))
  collect(rest as Json, (url) => uses.push(useOf(url, urlFingerprint(url))))
  return uses
}

/** Returns the URL that the calls of a planned tool reach; null if it is not known, or is the operator's own. */
export function callUrl({ protocol, endpoint, binding }: PlannedTool): URL | null {
  const address = protocol === 'mcp' ? binding?.url : endpoint
  const url = typeof address === 'string' ? URL.parse(address) : null
  return url === null || url.host === '' ? null : url
}

/**
 * Returns what discovers the tools of a declaration: its document is fetched without a credential, and a connection signs
 * in like the calls. An http tool needs no discovery.
 */
function discoveryOf(tool: Tool): readonly GrantedUse[] {
  const { protocol, endpoint } = tool
  const url = endpoint === undefined ? null : URL.parse(endpoint)
  if (url === null || url.host === '' || protocol === undefined || protocol === 'http') return []
  if (protocol === 'openapi') return [useOf(url, urlFingerprint(url))]
  const fingerprint = connectionFingerprint(tool)
  const auth = authOf(tool)
  const secret = auth === null || auth === 'unsupported' ? undefined : auth.secret
  return fingerprint === undefined ? [] : [useOf(url, fingerprint, secret)]
}

/** Returns the fingerprint of the connection that discovers the tools of a declaration. */
export function connectionFingerprint(
  tool: Pick<Tool, 'protocol' | 'endpoint' | 'auth'>,
): string | undefined {
  const auth = authOf(tool)
  return callFingerprint({
    protocol: tool.protocol ?? '',
    endpoint: tool.endpoint,
    ...(auth !== null && auth !== 'unsupported' && { auth }),
  })
}

function useOf(url: URL, fingerprint: string, secret?: string): GrantedUse {
  return { host: hostOf(url), fingerprint, ...defined({ secret }) }
}

/** Finds each string that the URL parser accepts as a URL with a host, because such a URL can be called. */
function collect(value: Json | undefined, found: (url: URL) => void): void {
  if (typeof value === 'string') {
    const url = URL.parse(value)
    if (url !== null && url.host !== '') found(url)
    return
  }
  if (typeof value !== 'object' || value === null) return
  for (const member of Array.isArray(value) ? value : Object.values(value as JsonObject))
    collect(member, found)
}

/** Normalises a host, so that a final dot, or capitals and escapes in other schemes than https, cannot hide it. */
function hostOf(url: URL): string {
  const { hostname } = URL.parse(`https://${url.hostname}/`) ?? url
  const name = hostname.replace(/\.$/, '')
  return url.port === '' ? name : `${name}:${url.port}`
}
