import ipaddr from 'ipaddr.js'
import { defined } from '../document/defined.ts'
import { WaybillError } from '../document/issue.ts'

/**
 * A host that the operator allows this process to call. `host` is in the form of the URL parser (lower case, punycode,
 * IPv6 in brackets), or `*.` and such a name.
 */
export interface HostGrant {
  readonly host: string
  /** Absent: any port. */
  readonly port?: number
  /** True if the grant includes private and loopback addresses, which only the command line can allow. */
  readonly private: boolean
  readonly source: 'flag' | 'config' | 'remembered' | 'builtin'
  /** Applies only to the definition that a person starts, not to its sub-agents. */
  readonly bound?: true
  /** Fingerprints of the uses that it is for, see `call-fingerprint.ts`; absent: all. */
  readonly uses?: readonly string[]
}

/** All hosts that this process may call. Other hosts are refused. */
export interface Grants {
  readonly hosts: readonly HostGrant[]
  /** Hosts that only models may be called at, such as a model server on this machine; never tools. */
  readonly model_hosts?: readonly HostGrant[]
  /** Hosts denied by a project; takes precedence over every grant. */
  readonly denied?: readonly Pick<HostGrant, 'host' | 'port'>[]
  /** Paths of PEM files with certificate authorities to trust in addition to those of Node. */
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

/** An endpoint in a document is an untrusted claim of its author (AAIF §12). */
const UNTRUSTED = 'AAIF-12-01'
/** An endpoint without a grant is not active (AAIF §12). */
const GATED = 'AAIF-12-02'

/**
 * Reads the operator's `HOST[:PORT]`: a name, an IPv4 address, an IPv6 address in brackets, or `*.` and a name, where
 * the star matches exactly one label.
 * @throws WaybillError HOST_GRANT_INVALID
 */
export function parseHostGrant(text: string, source: HostGrant['source'] = 'flag'): HostGrant {
  const wildcard = text.startsWith('*.')
  const rest = wildcard ? text.slice(2) : text
  const invalid = (why: string) =>
    new WaybillError('HOST_GRANT_INVALID', {
      fault: 'usage',
      message: `"${text}" is not a valid host to allow: ${why}`,
      hint: 'write HOST or HOST:PORT, such as api.example.com, *.example.com, 127.0.0.1:8080 or [::1]:8080',
      rule: GATED,
    })
  if (rest === '' || /[\s/?#@\\%*]/.test(rest)) throw invalid('expected only a host and an optional port')
  if ((rest.match(/:/g)?.length ?? 0) > 1 && !rest.startsWith('['))
    throw invalid('an IPv6 address needs brackets')
  const [, hostText = '', portText] = /^(\[[^\]]*\]|[^:]*)(?::(.*))?$/.exec(rest) ?? []
  const url = URL.parse(`https://${hostText}/`)
  if (url === null || url.hostname === '') throw invalid('the host cannot be parsed')
  const host = hostOf(url)
  if (wildcard && addressIn(host) !== null) throw invalid('a wildcard cannot be used with an IP address')
  if (wildcard && !host.includes('.'))
    throw invalid('a wildcard directly under a top-level domain is too broad')
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
 * Decides whether a request may be sent to this URL, by its text; the resolved address is checked at connect time by
 * {@link judgeAddress}. The URL is checked in the form of the URL parser, so that all spellings of an address are
 * equal.
 */
export function judgeUrl(input: string | URL, grants: Grants): UrlVerdict {
  const url = typeof input === 'string' ? URL.parse(input) : input
  if (url === null || url.hostname === '') {
    return deny(
      'ENDPOINT_URL_INVALID',
      'it is not an absolute URL with a host',
      'write https://HOST/PATH',
      UNTRUSTED,
    )
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    const reason = `the scheme ${url.protocol.slice(0, -1)} is not allowed`
    return deny('ENDPOINT_SCHEME_REFUSED', reason, 'use https', UNTRUSTED)
  }
  if (url.username !== '' || url.password !== '') {
    const reason = 'the URL contains a user name or a password'
    return deny(
      'ENDPOINT_CREDENTIALS_IN_URL',
      reason,
      'remove them from the URL and name a secret in auth',
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
    const reason = `${host}:${port} is not an allowed host`
    return deny('ENDPOINT_NOT_GRANTED', reason, `allow it with --allow-host ${host}:${port}`, GATED)
  }
  if (url.protocol === 'http:' && !grant.private && !(grant.source !== 'builtin' && grant.host === host)) {
    const reason = `plain http to ${host} can be read and changed in transit`
    const hint = `use https, or allow the host by its full name: --allow-host ${host}:${port}`
    return deny('ENDPOINT_PLAIN_HTTP', reason, hint, UNTRUSTED)
  }
  return { allowed: true, url, grant }
}

/**
 * Decides for an address of any scheme: `http` and `https` as above; others must name a port, and their host is checked
 * like that of an https URL.
 * @returns also a URL with the normalised host and the port
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
  // Other schemes keep a host as it was written: as an https URL it is normalised.
  return judgeUrl(`https://${credentials}${url.hostname}:${url.port}/`, grants)
}

/**
 * Decides whether a connection to `ip` may be made for `host`: the second check, of the resolved address. Without it an
 * attacker's name could resolve to an internal address (DNS rebinding).
 * @param port the port of the URL; if absent, a grant for any port of the host applies.
 */
export function judgeAddress(ip: string, host: string, grants: Grants, port?: number): AddressVerdict {
  const address = addressIn(ip)
  if (address === null) {
    const reason = `"${ip}" is not an IP address`
    return deny('ENDPOINT_URL_INVALID', reason, 'check the DNS resolver of this machine', UNTRUSTED)
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
  // A name that resolves to the metadata service of a cloud or to 0.0.0.0 is usually an attack: only a grant for the
  // literal address allows it.
  const literal = addressIn(host)
  if (literal !== null && own.some((grant) => grant.host === host)) return { allowed: true }
  const reason = `${named(host, address)} is a ${address.range()} address, which is not the address of an ordinary server`
  const hint = `if it is intended, allow the literal address: --allow-host ${urlHost(address)}`
  return deny('ENDPOINT_ADDRESS_SPECIAL', reason, hint, UNTRUSTED)
}

/** The command line can allow `private` for a host, and `special` only for the literal address. */
function kindOf(address: Address): 'public' | 'private' | 'special' {
  const range = address.range()
  switch (range) {
    case 'unicast':
      return kindOfUnicast(address)
    case 'loopback':
    case 'private':
    case 'uniqueLocal':
    case 'carrierGradeNat':
      return 'private'
    case 'rfc6052':
      // NAT64: the last 32 bits are the IPv4 address that is called. Translators of a site (64:ff9b:1::/48) may differ.
      return address.toByteArray()[5] === 1 ? 'special' : kindOf(embeddedIPv4(address))
    default:
      return 'special'
  }
}

/** The address of the services of Azure for its virtual machines: a public address that is not on the internet. */
const AZURE_SERVICES = '168.63.129.16'

/** Only 2000::/3 is assigned to public hosts (RFC 4291 §2.4); the parser calls all that it does not know unicast. */
function kindOfUnicast(address: Address): 'public' | 'private' | 'special' {
  if (address.kind() === 'ipv4') return address.toString() === AZURE_SERVICES ? 'special' : 'public'
  const bytes = address.toByteArray()
  const embedded = () => kindOf(embeddedIPv4(address))
  // ::/96 is the old form of an IPv4 address in IPv6.
  if (bytes.slice(0, 12).every((byte) => byte === 0)) return embedded() === 'private' ? 'private' : 'special'
  // ISATAP (RFC 5214): an IPv4 address behind the marker 0:5efe or 200:5efe.
  if ([0, 2].includes(bytes[8] ?? -1) && bytes[9] === 0 && bytes[10] === 0x5e && bytes[11] === 0xfe)
    return embedded()
  return ((bytes[0] ?? 0) & 0xe0) === 0x20 ? 'public' : 'special'
}

/** Returns the IPv4 address in the last 32 bits. */
function embeddedIPv4(address: Address): ipaddr.IPv4 {
  return new ipaddr.IPv4(address.toByteArray().slice(12))
}

/** Returns the broadest grant: one for private addresses before others. */
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

/** Returns the host of a parsed URL without the final dot of a fully qualified name. */
function hostOf(url: URL): string {
  return url.hostname.replace(/\.$/, '')
}

function portOf(url: URL): number {
  return url.port === '' ? (url.protocol === 'http:' ? 80 : 443) : Number(url.port)
}

function addressIn(host: string): Address | null {
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host
  // Only the canonical spellings: the URL parser has already normalised the others.
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
