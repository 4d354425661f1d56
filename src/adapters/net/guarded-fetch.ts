import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns'
import type { LookupFunction } from 'node:net'
import type * as Undici from 'undici'
import { defined } from '../../document/defined.ts'
import { type GateDenial, type Grants, judgeAddress, judgeUrl } from '../../policy/endpoint-gate.ts'
import { believedAuthorities } from './authorities.ts'
import { completeBodies } from './complete-bodies.ts'
import { causeOf, certificateRefusal, GateRefusal, ResponseTooLarge } from './gate-refusal.ts'
import { IDLE_TIMEOUT_MS } from './idle-timeout.ts'

export interface GuardedFetchOptions {
  readonly grants: Grants
  /** Maximum size of a body, and of a message of a WebSocket, after decompression. Default 32 MiB. */
  readonly maxResponseBytes?: number
  /** Default 10 s. */
  readonly connectTimeoutMs?: number
  /** Timeout for the headers and between two parts of the body. Default 300 s. */
  readonly idleTimeoutMs?: number
  /** Called with the reason why a connection was not made, for clients that do not report it. */
  readonly onConnectError?: (error: Error) => void
  /** Resolves host names; default: the resolver of the machine. */
  readonly lookup?: (
    hostname: string,
    options: LookupOptions & { all: true },
    callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
  ) => void
}

const MAX_REDIRECTS = 3
const MOST_BYTES = 32 * 1024 * 1024

/**
 * The only `fetch` for calls that a definition requests. The endpoint gate checks each URL and each resolved address,
 * and the connection is made to the checked address (AAIF §12). Follows redirects only within one origin, so that a
 * credential is never sent to another origin. Rejects with {@link GateRefusal}, with {@link ResponseTooLarge}, or as
 * fetch does.
 */
export function createGuardedFetch(options: GuardedFetchOptions): typeof globalThis.fetch {
  const { grants, maxResponseBytes = MOST_BYTES } = options
  let transport: Promise<GuardedTransport> | undefined
  const guarded = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    if (typeof input === 'object' && 'headers' in input) {
      throw new TypeError('the guarded fetch accepts a URL and options, not a Request')
    }
    let url = allowedUrl(input, grants, true)
    transport ??= openGuardedTransport(options)
    const { fetch, checked } = await transport
    for (let hops = 0; ; hops += 1) {
      const response = await send(fetch, url, init, checked, hops === 0)
      const location = isFollowed(response.status, init) ? response.headers.get('location') : null
      if (location === null) return bounded(response, url, maxResponseBytes)
      await response.body?.cancel()
      url = redirectTarget(location, url, init, hops, grants)
    }
  }
  return guarded as typeof globalThis.fetch
}

/** Connects only to addresses that pass the gate; URLs must have passed it before. */
export interface GuardedTransport {
  readonly fetch: typeof Undici.fetch
  readonly dispatcher: Undici.Agent
  /** The same, for `fetch`: a compressed body that is not complete fails. */
  readonly checked: Undici.Dispatcher
}

/** Loaded with the first call, so that commands without calls do not load it. */
export async function openGuardedTransport(options: GuardedFetchOptions): Promise<GuardedTransport> {
  const { Agent, buildConnector, fetch } = await import('undici')
  const { connectTimeoutMs = 10_000, idleTimeoutMs = IDLE_TIMEOUT_MS } = options
  const ca = believedAuthorities(options.grants)
  const connectors = new Map<number, Undici.buildConnector.connector>()
  const dispatcher = new Agent({
    headersTimeout: idleTimeoutMs,
    bodyTimeout: idleTimeoutMs,
    webSocket: { maxPayloadSize: options.maxResponseBytes ?? MOST_BYTES },
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
  const checked = dispatcher.compose(completeBodies(options.maxResponseBytes ?? MOST_BYTES))
  return { fetch, dispatcher, checked }
}

/** Resolves a name to the addresses that pass the gate; the socket cannot connect to others. */
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
  dispatcher: Undici.Dispatcher,
  first: boolean,
): Promise<Undici.Response> {
  try {
    // A body that cannot be sent again is not sent to another place either.
    const redirect = init.redirect === 'error' ? 'error' : 'manual'
    return await fetch(url, { ...(init as unknown as Undici.RequestInit), redirect, dispatcher })
  } catch (error) {
    const refusal = causeOf(error, GateRefusal)
    if (refusal === undefined) throw error
    throw first ? refusal : new GateRefusal(refusal.code, refusal.reason, refusal.hint, false)
  }
}

function isRedirect(status: number): boolean {
  return status === 301 || status === 302 || status === 303 || status === 307 || status === 308
}

/** A write that is answered with 303 was made: the redirect leads to a page about it. */
function isFollowed(status: number, { method }: RequestInit): boolean {
  return isRedirect(status) && (status !== 303 || readsOnly(method))
}

function readsOnly(method = 'GET'): boolean {
  return /^(get|head)$/i.test(method)
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
  if (target === null) throw refuse('to an invalid URL', 'report it to the operator of the server')
  if (hops >= MAX_REDIRECTS) {
    throw refuse(`for the ${MAX_REDIRECTS + 1}th time`, 'call their target directly')
  }
  if (target.origin !== from.origin) {
    throw refuse(
      `to another origin, ${target.origin}`,
      'if it is intended, use that origin in the definition and allow it',
    )
  }
  if (!readsOnly(init.method)) {
    // Following the redirect would drop the body or send it twice.
    throw refuse(
      `of a ${init.method?.toUpperCase()} request, to ${target.pathname}`,
      'use that path as the endpoint',
    )
  }
  return allowedUrl(target, grants, false)
}

function allowedUrl(input: string | URL, grants: Grants, unsent: boolean): URL {
  const verdict = judgeUrl(input, grants)
  if (verdict.allowed) return verdict.url
  throw new GateRefusal(verdict.code, verdict.reason, verdict.hint, unsent)
}

/** Returns the response with a body that fails when it exceeds the limit, and with the URL that redirects led to. */
async function bounded(response: Undici.Response, url: URL, maxBytes: number): Promise<Response> {
  const plain = response as unknown as Response
  if (plain.body === null) return plain
  if (Number(plain.headers.get('content-length') ?? 0) > maxBytes) {
    await plain.body.cancel()
    throw new ResponseTooLarge(maxBytes, plain.status)
  }
  let size = 0
  const counter = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      size += chunk.byteLength
      if (size > maxBytes) controller.error(new ResponseTooLarge(maxBytes, plain.status))
      else controller.enqueue(chunk)
    },
  })
  const { status, statusText, headers } = plain
  const body = plain.body.pipeThrough(counter)
  // The constructor of a response has no option for its URL.
  return Object.defineProperty(new Response(body, { status, statusText, headers: [...headers] }), 'url', {
    value: url.href,
  })
}
