/** Schemes an endpoint may have, by protocol (AAIF §4.4); the empty scheme is a local path. */
const SCHEMES: Readonly<Record<string, readonly string[]>> = {
  mcp: ['mcp', 'ws', 'wss', 'stdio', 'http', 'https'],
  http: ['http', 'https'],
  openapi: ['http', 'https', 'file', ''],
}

/** The schemes of a protocol; undefined for one that needs no endpoint. */
export function schemesOf(protocol: string): readonly string[] | undefined {
  return Object.hasOwn(SCHEMES, protocol) ? SCHEMES[protocol] : undefined
}

/** In lower case; empty where there is none. */
export function schemeOf(endpoint: string): string {
  return /^([a-z][a-z0-9+.-]*):/i.exec(endpoint)?.[1]?.toLowerCase() ?? ''
}

/**
 * Whether an endpoint could be resolved, as far as its text tells (AAIF §6, Portable): the scheme fits the protocol,
 * it leads somewhere, and no host is left to be filled in. Nobody is asked.
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
