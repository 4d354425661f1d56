import type { IncomingHttpHeaders } from 'node:http'
import { WaybillError } from '../document/issue.ts'
import { type Arrival, isEncrypted, isLoopback } from './public-address.ts'

/** Whether an Agent State may cross a plaintext connection: never, or between two loopback addresses. */
export type PlaintextStates = 'never' | 'loopback'

/** A request, as far as it decides whether a state may cross its connection. */
export interface StateArrival extends Arrival {
  /** The address of this machine that was reached, of the socket. */
  readonly local: string
  readonly headers: IncomingHttpHeaders
}

/**
 * Headers that proxies add. A proxy in this machine may have received the request from another one, without encryption;
 * the headers of a proxy that is trusted count as those of the connection before it.
 */
const PROXY_HEADERS =
  /^(?:forwarded|via|x-forwarded(?:-.*)?|x-original-forwarded-for|x-real-ip|x-client-ip|x-cluster-client-ip|x-envoy-external-address|true-client-ip|cf-connecting-ip|fastly-client-ip|cdn-loop)$/

/**
 * Returns whether an Agent State without a migration token may cross the connection of a request (AAIF §12): it is
 * encrypted; or it begins and ends in this machine, nothing says that a proxy is between, and the operator allows it.
 */
export function mayCarryStates(
  arrival: StateArrival,
  isTrusted: (peer: string) => boolean,
  plaintext: PlaintextStates,
): boolean {
  const { peer, local, headers } = arrival
  if (isEncrypted(arrival, isTrusted)) return true
  const isInside = isLoopback(peer) && isLoopback(local)
  return (
    plaintext === 'loopback' && isInside && !Object.keys(headers).some((name) => PROXY_HEADERS.test(name))
  )
}

/** Returns the error of a request whose connection may not carry a state. @param what such as `an Agent State` */
export function tlsRequired(what: string): WaybillError {
  return new WaybillError('TLS_REQUIRED', {
    fault: 'refused',
    message: `${what} may only be sent over an encrypted connection`,
    hint: 'use the https URL of the platform',
    rule: 'AAIF-12-08',
  })
}
