import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import type * as Undici from 'undici'
import { defined } from '../../document/defined.ts'
import { type GateDenial, type Grants, judgeAddress, judgeUrl } from '../../policy/endpoint-gate.ts'
import { believedAuthorities } from './authorities.ts'
import { causeOf, certificateRefusal, GateRefusal, ResponseTooLarge } from './gate-refusal.ts'

export interface GuardedFetchOptions {
  readonly grants: Grants
  /** Largest body that is read, after decompression. Default 32 MiB. */
  readonly maxResponseBytes?: number
  /** Default 10 s. */
  readonly connectTimeoutMs?: number
  /** How long a server may stay silent, before its headers and between two pieces of the body. Default 300 s. */
  readonly idleTimeoutMs?: number
  /** Told why a connection was not made, for clients that keep it to themselves. */
  readonly onConnectError?: (error: Error) => void
  /** Resolves names; the machine's own resolver by default. */
  readonly lookup?: (
    hostname: string,
    options: LookupOptions & { all: true },
    callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
  ) => void
}

const MAX_REDIRECTS = 3

/**
 * The only `fetch` there is for calls that a definition asks for. Each URL passes the endpoint gate, each address
 * that a name resolves to passes it again, and the connection goes to that very address (AAIF §12).
 * A redirect is followed within one origin only, so a credential never travels to another.
 * Rejects with {@link GateRefusal}, with {@link ResponseTooLarge}, or as fetch does.
 */
export function createGuardedFetch(options: GuardedFetchOptions): typeof fetch {
  const { grants, maxResponseBytes = 32 * 1024 * 1024 } = options
  let transport: Promise<GuardedTransport> | undefined
  const guarded = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    if (typeof input === 'object' && 'headers' in input) {
      throw new TypeError('the guarded fetch takes a URL and its options, not a Request')
    }
    let url = allowedUrl(input, grants, true)
    transport ??= openGuardedTransport(options)
    const { fetch, dispatcher } = await transport
    for (let hops = 0; ; hops += 1) {
      const response = await send(fetch, url, init, dispatcher, hops === 0)
      const location = isRedirect(response.status) ? response.headers.get('location') : null
      if (location === null) return bounded(response, maxResponseBytes)
      await response.body?.cancel()
      url = redirectTarget(location, url, init, hops, grants)
    }
  }
  return guarded as typeof fetch
}

/** Connects to addresses that pass the gate, and to no others; URLs must have passed it before they come here. */
export interface GuardedTransport {
  readonly fetch: typeof Undici.fetch
  readonly dispatcher: Undici.Agent
}

/** Loaded at the first call: commands that call nothing do not pay for it. */
export async function openGuardedTransport(options: GuardedFetchOptions): Promise<GuardedTransport> {
  const { Agent, buildConnector, fetch } = await import('undici')
  const { connectTimeoutMs = 10_000, idleTimeoutMs = 300_000 } = options
  const ca = believedAuthorities(options.grants)
  const connectors = new Map<number, Undici.buildConnector.connector>()
  const dispatcher = new Agent({
    headersTimeout: idleTimeoutMs,
    bodyTimeout: idleTimeoutMs,
    connect(target, callback) {
      const port = Number(target.port) || (target.protocol === 'https:' ? 443 : 80)
      let connect = connectors.get(port)
      if (connect === undefined) {
        connect = buildConnector({
          timeout: connectTimeoutMs,
          lookup: checkedLookup(options, port),
          ...defined({ ca }),
        })
        connectors.set(port, connect)
      }
      connect(target, (failed, socket) => {
        if (failed === null) return callback(failed, socket)
        const error = certificateRefusal(failed, target.hostname) ?? failed
        options.onConnectError?.(error)
        callback(error, socket)
      })
    },
  })
  return { fetch, dispatcher }
}

/** Resolves a name to those of its addresses that pass the gate; the socket has no other to connect to. */
export function checkedLookup(
  { grants, lookup = systemLookup }: GuardedFetchOptions,
  port: number,
): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, [])
      let denial: GateDenial | undefined
      const open = addresses.filter(({ address }) => {
        const verdict = judgeAddress(address, hostname, grants, port)
        if (!verdict.allowed) denial ??= verdict
        return verdict.allowed
      })
      const [first] = open
      if (first === undefined) {
        const reason = denial?.reason ?? `${hostname} has no address`
        const hint = denial?.hint ?? 'check the name'
        return callback(new GateRefusal(denial?.code ?? 'ENDPOINT_URL_INVALID', reason, hint), [])
      }
      if (options.all === true) callback(null, open)
      else callback(null, first.address, first.family)
    })
  }
}

async function send(
  fetch: typeof Undici.fetch,
  url: URL,
  init: RequestInit,
  dispatcher: Undici.Agent,
  first: boolean,
): Promise<Undici.Response> {
  try {
    return await fetch(url, { ...(init as unknown as Undici.RequestInit), redirect: 'manual', dispatcher })
  } catch (error) {
    const refusal = causeOf(error, GateRefusal)
    if (refusal === undefined) throw error
    throw first ? refusal : new GateRefusal(refusal.code, refusal.reason, refusal.hint, false)
  }
}

function isRedirect(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308
}

function redirectTarget(location: string, from: URL, init: RequestInit, hops: number, grants: Grants): URL {
  const refuse = (reason: string, hint: string) =>
    new GateRefusal(
      'ENDPOINT_REDIRECT_REFUSED',
      `${from.origin} answered with a redirect ${reason}`,
      hint,
      false,
    )
  const target = URL.parse(location, from.href)
  if (target === null) throw refuse('to something that is no URL', 'report it to whoever runs the server')
  if (hops >= MAX_REDIRECTS) {
    throw refuse(`for the ${MAX_REDIRECTS + 1}th time`, 'call the place that they lead to directly')
  }
  if (target.origin !== from.origin) {
    throw refuse(
      `to another origin, ${target.origin}`,
      'name that origin in the definition and allow it, if it is meant',
    )
  }
  const method = (init.method ?? 'GET').toUpperCase()
  if (method !== 'GET' && method !== 'HEAD') {
    // Following would either drop the body or send it twice; neither is what was asked for.
    throw refuse(`of a ${method} request, to ${target.pathname}`, 'use that path as the endpoint')
  }
  return allowedUrl(target, grants, false)
}

function allowedUrl(input: string | URL, grants: Grants, unsent: boolean): URL {
  const verdict = judgeUrl(input, grants)
  if (verdict.allowed) return verdict.url
  throw new GateRefusal(verdict.code, verdict.reason, verdict.hint, unsent)
}

/** The same response with a body that fails once it grows beyond the limit. */
async function bounded(response: Undici.Response, maxBytes: number): Promise<Response> {
  const plain = response as unknown as Response
  if (plain.body === null) return plain
  if (Number(plain.headers.get('content-length') ?? 0) > maxBytes) {
    await plain.body.cancel()
    throw new ResponseTooLarge(maxBytes)
  }
  let size = 0
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.byteLength
      if (size > maxBytes) controller.error(new ResponseTooLarge(maxBytes))
      else controller.enqueue(chunk)
    },
  })
  const { status, statusText, headers } = plain
  return new Response(plain.body.pipeThrough(counter), { status, statusText, headers: [...headers] })
}
