/** Schemes an endpoint may have, by protocol (AAIF §4.4); the empty scheme is a local path. */
const SCHEMES: Readonly<Record<string, readonly string[]>> = {
  mcp: ['mcp', 'ws', 'wss', 'stdio', 'http', 'https'],
  http: ['http', 'https'],
  openapi: ['http', 'https', 'file', ''],
}

/** Returns the schemes of a protocol; undefined for a protocol that needs no endpoint. */
export function schemesOf(protocol: string): readonly string[] | undefined {
  return Object.hasOwn(SCHEMES, protocol) ? SCHEMES[protocol] : undefined
}

/** Returns the scheme in lower case; an empty string if there is none. */
export function schemeOf(endpoint: string): string {
  return /^([a-z][a-z0-9+.-]*):/i.exec(endpoint)?.[1]?.toLowerCase() ?? ''
}

/**
 * Returns true if an endpoint can be resolved (AAIF §6, Portable): the scheme fits the protocol, the address is
 * complete, and the host has no placeholder. Makes no network request.
 */
export function isResolvable(protocol: string, endpoint: string): boolean {
  const scheme = schemeOf(endpoint)
  if (schemesOf(protocol)?.includes(scheme) !== true) return false
  if (scheme === '' || scheme === 'stdio' || scheme === 'file')
    return /[^\s:/]/.test(endpoint.slice(scheme.length))
  return (
    /^[^:]+:\/\/[^/?#\s{}<>]/.test(endpoint) &&
    !/^[^:]+:\/\/[^/?#]*[\s{}<>$]/.test(endpoint) &&
    URL.canParse(endpoint)
  )
}
