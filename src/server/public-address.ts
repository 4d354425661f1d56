import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { WaybillError } from '../document/issue.ts'

export interface ListenAddress {
  readonly host: string
  readonly publicUrl?: string
  /** Whether the server itself speaks TLS. */
  readonly tls: boolean
  /** Addresses or CIDR ranges of proxies in front of the server. */
  readonly trustedProxies: readonly string[]
}

/** Returns whether only processes of this machine can connect to an address. */
export function isLoopback(host: string): boolean {
  if (host === 'localhost') return true
  if (isIP(host) === 0) return false
  return ipaddr.process(host).range() === 'loopback'
}

/**
 * Checks that tokens do not travel unencrypted: a server that others can reach has TLS, or a proxy in front that has it.
 * @param firstToken the id of the admin token of the first start, if it is still valid
 * @throws ADDRESS_NOT_PROTECTED, ADMIN_TOKEN_NOT_ROTATED
 */
export function assertProtected(
  { host, publicUrl, tls, trustedProxies }: ListenAddress,
  firstToken: string | null,
): void {
  for (const range of trustedProxies)
    if (!ipaddr.isValid(range) && !ipaddr.isValidCIDR(range))
      throw notProtected(
        `--trusted-proxy ${range} is not an address or a CIDR range`,
        'write for example 10.0.0.0/8',
      )
  if (isLoopback(host)) return
  if (isIP(host) === 0)
    throw notProtected(`--host ${host} is not an IP address`, 'write an address of this machine, or 0.0.0.0')
  if (!tls && trustedProxies.length === 0)
    throw notProtected(
      `tokens would be sent to ${host} without encryption`,
      'give --cert and --key, or --trusted-proxy with the address of a proxy that speaks TLS',
    )
  if (publicUrl === undefined || new URL(publicUrl).protocol !== 'https:')
    throw notProtected(
      'the server does not know the https URL under which clients reach it',
      'give --public-url https://NAME: requests for other hosts are refused',
    )
  if (firstToken !== null)
    throw new WaybillError('ADMIN_TOKEN_NOT_ROTATED', {
      fault: 'refused',
      message:
        'the admin token of the first start is still valid: it may be in terminals, files and histories',
      hint: `waybill token new NAME --role admin, then waybill token revoke ${firstToken}`,
    })
}

function notProtected(message: string, hint: string): WaybillError {
  return new WaybillError('ADDRESS_NOT_PROTECTED', { fault: 'usage', message, hint })
}

/** What is known of how a request has arrived. */
export interface Arrival {
  /** Of the socket, not what a header says. */
  readonly peer: string
  readonly encrypted: boolean
  /** As the trusted proxy says, else that of the socket. */
  readonly protocol: string
}

/**
 * Checks that a request came through the trusted proxy, encrypted, or from this machine.
 * @throws CONNECTION_UNENCRYPTED
 */
export function assertEncrypted(
  { peer, encrypted, protocol }: Arrival,
  isTrusted: (peer: string) => boolean,
): void {
  if (encrypted || (isLoopback(peer) && !isTrusted(peer)) || (isTrusted(peer) && protocol === 'https')) return
  throw new WaybillError('CONNECTION_UNENCRYPTED', {
    fault: 'refused',
    message: 'the request has not reached the server through its proxy and with TLS',
    hint: 'use the https URL of the server; the proxy must send x-forwarded-proto',
  })
}

/** Returns whether a request came encrypted, as far as the platform can know. */
export function isEncrypted(
  { peer, encrypted, protocol }: Arrival,
  isTrusted: (peer: string) => boolean,
): boolean {
  return encrypted || (isTrusted(peer) && protocol === 'https')
}

/** Returns whether an address belongs to one of the ranges. */
export function withinRanges(ranges: readonly string[]): (address: string) => boolean {
  const parsed = ranges.map((range) =>
    ipaddr.isValidCIDR(range)
      ? ipaddr.parseCIDR(range)
      : ([ipaddr.parse(range), ipaddr.parse(range).kind() === 'ipv4' ? 32 : 128] as const),
  )
  return (address) => {
    if (!ipaddr.isValid(address)) return false
    const own = ipaddr.process(address)
    return parsed.some(([base, bits]) => base.kind() === own.kind() && own.match(base as ipaddr.IPv4, bits))
  }
}
