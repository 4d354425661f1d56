import ipaddr from 'ipaddr.js'
import { defined } from '../document/defined.ts'
import { WaybillError } from '../document/issue.ts'

/**
 * One host that the operator lets this process talk to.
 * `host` is in the form a URL parser gives it (lower case, punycode, IPv6 in brackets), or `*.` and such a name.
 */
export interface HostGrant {
  readonly host: string
  /** Absent: any port. */
  readonly port?: number
  /** Whether the grant reaches private addresses and loopback. Only the command line gives that. */
  readonly private: boolean
  readonly source: 'flag' | 'config' | 'remembered' | 'builtin'
  /** Given for the definition that a person starts: its sub-agents do not have it. */
  readonly bound?: true
}

/** Everything this process may talk to. What is not listed is refused. */
export interface Grants {
  readonly hosts: readonly HostGrant[]
  /** Taken away by a project, whoever granted it. */
  readonly denied?: readonly Pick<HostGrant, 'host' | 'port'>[]
  /** Paths of PEM files with certificate authorities to believe besides those that Node does. */
  readonly ca_files?: readonly string[]
}

export type GateCode =
  | 'ENDPOINT_URL_INVALID'
  | 'ENDPOINT_SCHEME_REFUSED'
  | 'ENDPOINT_CREDENTIALS_IN_URL'
  | 'ENDPOINT_NOT_GRANTED'
  | 'ENDPOINT_DENIED'
  | 'ENDPOINT_PLAIN_HTTP'
  | 'ENDPOINT_ADDRESS_PRIVATE'
  | 'ENDPOINT_ADDRESS_SPECIAL'

export interface GateDenial {
  readonly allowed: false
  readonly code: GateCode
  readonly reason: string
  readonly hint: string
  readonly rule: string
}

export type UrlVerdict = { readonly allowed: true; readonly url: URL; readonly grant: HostGrant } | GateDenial
export type AddressVerdict = { readonly allowed: true } | GateDenial

/** An endpoint out of a document is a claim by whoever wrote the document (AAIF §12). */
const UNTRUSTED = 'AAIF-12-01'
/** What was not granted is not active (AAIF §12). */
const GATED = 'AAIF-12-02'

/**
 * Reads the operator's `HOST[:PORT]`: a name, an IPv4 address, an IPv6 address in brackets, or `*.` and a name,
 * where the star stands for exactly one label.
 * @throws WaybillError HOST_GRANT_INVALID
 */
export function parseHostGrant(text: string, source: HostGrant['source'] = 'flag'): HostGrant {
  const wildcard = text.startsWith('*.')
  const rest = wildcard ? text.slice(2) : text
  const invalid = (why: string) =>
    new WaybillError('HOST_GRANT_INVALID', {
      fault: 'usage',
      message: `"${text}" is no host to allow: ${why}`,
      hint: 'write HOST or HOST:PORT, such as api.example.com, *.example.com, 127.0.0.1:8080 or [::1]:8080',
      rule: GATED,
    })
  if (rest === '' || /[\s/?#@\\%*]/.test(rest))
    throw invalid('only a host, and a port when wanted, belong here')
  if ((rest.match(/:/g)?.length ?? 0) > 1 && !rest.startsWith('[')) throw invalid('IPv6 goes in brackets')
  const [, hostText = '', portText] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/.exec(rest) ?? []
  const url = URL.parse(`https://${hostText}/`)
  if (url === null || url.hostname === '') throw invalid('the host cannot be read')
  const host = hostOf(url)
  if (wildcard && addressIn(host) !== null) throw invalid('an address has no labels for a star to stand for')
  if (wildcard && !host.includes('.')) throw invalid('a star directly under a top-level name is too wide')
  const port = portText === undefined ? undefined : Number(portText)
  if (port !== undefined && !(/^\d{1,5}$/.test(portText ?? '') && port >= 1 && port <= 65535)) {
    throw invalid('a port is a number from 1 to 65535')
  }
  return {
    host: wildcard ? `*.${host}` : host,
    ...defined({ port }),
    private: source === 'flag',
    source,
  }
}

/**
 * Whether a request may go to this URL, judged by what it says; the address that its name resolves to is
 * judged at connect time by {@link judgeAddress}. Every spelling of an address is one address here, because
 * the URL is judged in the form that the URL parser gives it.
 */
export function judgeUrl(input: string | URL, grants: Grants): UrlVerdict {
  const url = typeof input === 'string' ? URL.parse(input) : input
  if (url === null || url.hostname === '') {
    return deny(
      'ENDPOINT_URL_INVALID',
      'it is no absolute URL with a host',
      'write https://HOST/PATH',
      UNTRUSTED,
    )
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    const reason = `the scheme ${url.protocol.slice(0, -1)} is not one that may be called`
    return deny('ENDPOINT_SCHEME_REFUSED', reason, 'use https', UNTRUSTED)
  }
  if (url.username !== '' || url.password !== '') {
    const reason = 'the URL carries a user name or a password'
    return deny(
      'ENDPOINT_CREDENTIALS_IN_URL',
      reason,
      'take them out of the URL and name a secret in auth',
      UNTRUSTED,
    )
  }
  const host = hostOf(url)
  const port = portOf(url)
  if (grants.denied?.some((denial) => covers(denial, host, port)) === true) {
    const hint = "the project's waybill.yaml lists it under deny_hosts"
    return deny('ENDPOINT_DENIED', `the project denies ${host}`, hint, GATED)
  }
  const grant = bestGrant(host, port, grants)
  const literal = addressIn(host) ?? (isLoopbackName(host) ? ipaddr.parse('127.0.0.1') : null)
  if (literal !== null) {
    const verdict = judgeParsed(literal, host, port, grants)
    if (!verdict.allowed) return verdict
  }
  if (grant === null) {
    const reason = `${host}:${port} is not among the hosts that may be called`
    return deny('ENDPOINT_NOT_GRANTED', reason, `allow it with --allow-host ${host}:${port}`, GATED)
  }
  if (url.protocol === 'http:' && !grant.private && !(grant.source !== 'builtin' && grant.host === host)) {
    const reason = `plain http to ${host} can be read and changed on its way`
    const hint = `use https, or allow the host by its full name: --allow-host ${host}:${port}`
    return deny('ENDPOINT_PLAIN_HTTP', reason, hint, UNTRUSTED)
  }
  return { allowed: true, url, grant }
}

/**
 * The same for an address of whatever scheme: `http` and `https` as above; any other names its port, and its host is
 * judged like that of an https URL.
 * @returns with a URL that has the host in its one spelling, and the port
 */
export function judgeConnection(input: string | URL, grants: Grants): UrlVerdict {
  const url = typeof input === 'string' ? URL.parse(input) : input
  if (url === null || url.protocol === 'http:' || url.protocol === 'https:')
    return judgeUrl(url ?? '', grants)
  if (url.hostname === '' || url.port === '') {
    const reason = `an address of scheme ${url.protocol.slice(0, -1)} must name its host and its port`
    return deny('ENDPOINT_URL_INVALID', reason, `write ${url.protocol}//HOST:PORT`, UNTRUSTED)
  }
  const credentials = url.username === '' && url.password === '' ? '' : 'user@'
  // Other schemes keep a host as it was written: as an https URL it gets the one spelling that is judged.
  return judgeUrl(`https://${credentials}${url.hostname}:${url.port}/`, grants)
}

/**
 * Whether a connection to `ip` may be made on behalf of `host`: the second look, at what a name resolved to.
 * Without it a name of the attacker's could resolve to an address inside (DNS rebinding).
 * @param port of the URL; when absent, a grant for any port of the host counts.
 */
export function judgeAddress(ip: string, host: string, grants: Grants, port?: number): AddressVerdict {
  const address = addressIn(ip)
  if (address === null) {
    const reason = `"${ip}" is no IP address`
    return deny('ENDPOINT_URL_INVALID', reason, 'look at the resolver of this machine', UNTRUSTED)
  }
  return judgeParsed(address, host.replace(/\.$/, '').toLowerCase(), port, grants)
}

type Address = ipaddr.IPv4 | ipaddr.IPv6

function judgeParsed(
  address: Address,
  host: string,
  port: number | undefined,
  grants: Grants,
): AddressVerdict {
  const kind = kindOf(address)
  if (kind === 'public') return { allowed: true }
  const own = grants.hosts.filter((grant) => grant.private && covers(grant, host, port))
  const where = port === undefined ? host : `${host}:${port}`
  if (kind === 'private') {
    if (own.length > 0) return { allowed: true }
    const reason = `${named(host, address)} is a private or loopback address`
    return deny(
      'ENDPOINT_ADDRESS_PRIVATE',
      reason,
      `allow it on the command line: --allow-host ${where}`,
      UNTRUSTED,
    )
  }
  // A name that resolves to a cloud's metadata service or to 0.0.0.0 is an attack more often than a wish:
  // only the very address, written out by the operator, opens it.
  const literal = addressIn(host)
  if (literal !== null && own.some((grant) => grant.host === host)) return { allowed: true }
  const reason = `${named(host, address)} is a ${address.range()} address, which names no ordinary server`
  const hint = `when it is meant, allow the address itself: --allow-host ${urlHost(address)}`
  return deny('ENDPOINT_ADDRESS_SPECIAL', reason, hint, UNTRUSTED)
}

/** `private` may be opened for a host by the command line, `special` only for the written-out address. */
function kindOf(address: Address): 'public' | 'private' | 'special' {
  const range = address.range()
  switch (range) {
    case 'unicast':
      return 'public'
    case 'loopback':
    case 'private':
    case 'uniqueLocal':
    case 'carrierGradeNat':
      return 'private'
    case 'rfc6052':
      // NAT64: the last 32 bits are the IPv4 address that is really called.
      return kindOf(embeddedIPv4(address as ipaddr.IPv6))
    default:
      return 'special'
  }
}

function embeddedIPv4(address: ipaddr.IPv6): ipaddr.IPv4 {
  return new ipaddr.IPv4(address.toByteArray().slice(12))
}

/** The grant that opens the most: a private one before others. */
function bestGrant(host: string, port: number, grants: Grants): HostGrant | null {
  const fitting = grants.hosts.filter((grant) => covers(grant, host, port))
  return (
    fitting.find((grant) => grant.private) ??
    fitting.find((grant) => grant.host === host) ??
    fitting[0] ??
    null
  )
}

function covers(grant: Pick<HostGrant, 'host' | 'port'>, host: string, port: number | undefined): boolean {
  if (grant.port !== undefined && port !== undefined && grant.port !== port) return false
  if (!grant.host.startsWith('*.')) return grant.host === host
  const dot = host.indexOf('.')
  return dot > 0 && host.slice(dot) === grant.host.slice(1)
}

/** The host of a parsed URL without the dot that only says that the name is complete. */
function hostOf(url: URL): string {
  return url.hostname.replace(/\.$/, '')
}

function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'http:' ? 80 : 443) : Number(url.port)
}

function addressIn(host: string): Address | null {
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host
  // Only the canonical spellings: a URL parser has already folded the others into these.
  if (!ipaddr.IPv4.isValidFourPartDecimal(bare) && !ipaddr.IPv6.isValid(bare)) return null
  return ipaddr.process(bare)
}

function isLoopbackName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost')
}

function urlHost(address: Address): string {
  return address.kind() === 'ipv6' ? `[${address.toString()}]` : address.toString()
}

function named(host: string, address: Address): string {
  return addressIn(host) === null ? `${host} (${address.toString()})` : host
}

function deny(code: GateCode, reason: string, hint: string, rule: string): GateDenial {
  return { allowed: false, code, reason, hint, rule }
}
