import { lookup as systemLookup } from 'node:dns/promises'
import type * as Grpc from '@grpc/grpc-js'
import { judgeAddress, judgeUrl } from '../../policy/endpoint-gate.ts'
import type { Secrets } from '../../run/ports.ts'
import { believedAuthorities } from '../net/authorities.ts'
import { createGuardedFetch } from '../net/guarded-fetch.ts'
import { shorten } from '../net/shorten.ts'
import { untilAborted } from '../net/until-aborted.ts'
import type { Collector, SignalTarget } from './collector.ts'

/** Sends one OTLP request; throws if it does not arrive. */
export interface OtlpSender {
  send(signal: 'traces' | 'metrics', body: Uint8Array, timeoutMs: number): Promise<void>
  close(): void
}

/** A permanent error: a retry would not help. */
export class CollectorRefusal extends Error {
  override readonly name = 'CollectorRefusal'
}

const CONNECT_MS = 2000

export function createOtlpSender(collector: Collector, secrets: Secrets): OtlpSender {
  return collector.protocol === 'grpc' ? grpcSender(collector, secrets) : httpSender(collector, secrets)
}

function httpSender(collector: Collector, secrets: Secrets): OtlpSender {
  const fetch = createGuardedFetch({
    grants: collector.grants,
    maxResponseBytes: 64 * 1024,
    connectTimeoutMs: CONNECT_MS,
  })
  return {
    async send(signal, body, timeoutMs) {
      const target = targetOf(collector, signal)
      const timeout = AbortSignal.timeout(timeoutMs)
      const headers = await untilAborted(headersOf(target, secrets), timeout)
      const response = await fetch(target.url, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/x-protobuf' },
        body: Buffer.from(body),
        signal: timeout,
      })
      const answer = await response.arrayBuffer()
      if (response.ok) return
      const message = `it answered ${response.status} ${shorten(textOf(answer))}`.trim()
      const passing = response.status === 429 || response.status >= 500
      throw passing ? new Error(message) : new CollectorRefusal(message)
    },
    close: () => {},
  }
}

/** A protobuf answer of a collector is not readable text. */
function textOf(bytes: ArrayBuffer): string {
  const text = new TextDecoder().decode(bytes)
  return /^[\x20-\x7e\s]*$/.test(text) ? text : ''
}

const METHODS = {
  traces: '/opentelemetry.proto.collector.trace.v1.TraceService/Export',
  metrics: '/opentelemetry.proto.collector.metrics.v1.MetricsService/Export',
} as const

/**
 * gRPC makes its own connections, so the gate is applied here: to the URL, then to its resolved addresses; the
 * connection is made to the checked address.
 */
function grpcSender(collector: Collector, secrets: Secrets): OtlpSender {
  const clients = new Map<string, Promise<Grpc.Client>>()
  return {
    async send(signal, body, timeoutMs) {
      const grpc = await import('@grpc/grpc-js')
      const target = targetOf(collector, signal)
      const deadline = Date.now() + timeoutMs
      const headers = await untilAborted(headersOf(target, secrets), AbortSignal.timeout(timeoutMs))
      const { origin } = new URL(target.url)
      const opening = clients.get(origin) ?? openClient(grpc, origin, collector)
      clients.set(origin, opening)
      const client = await opening.catch((error: unknown) => {
        clients.delete(origin)
        throw error
      })
      const metadata = new grpc.Metadata()
      for (const [name, value] of Object.entries(headers)) metadata.set(name, value)
      await new Promise<void>((resolve, reject) => {
        const done = (error: Grpc.ServiceError | null) =>
          error === null ? resolve() : reject(new Error(shorten(error.details || error.message)))
        const options = { deadline }
        client.makeUnaryRequest(METHODS[signal], asBuffer, asIs, body, metadata, options, done)
      })
    },
    close() {
      for (const client of clients.values()) client.then((open) => open.close()).catch(() => {})
    },
  }
}

function asBuffer(body: Uint8Array): Buffer {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength)
}

function asIs(body: Buffer): Buffer {
  return body
}

async function openClient(grpc: typeof Grpc, origin: string, { grants }: Collector): Promise<Grpc.Client> {
  const verdict = judgeUrl(origin, grants)
  if (!verdict.allowed) throw new CollectorRefusal(`${verdict.reason}; ${verdict.hint}`)
  const { url } = verdict
  const tls = url.protocol === 'https:'
  const port = url.port === '' ? (tls ? 443 : 80) : Number(url.port)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const addresses = await systemLookup(host, { all: true })
  const open = addresses.find(({ address }) => judgeAddress(address, url.hostname, grants, port).allowed)
  if (open === undefined) throw new CollectorRefusal(`no address of ${host} is allowed`)
  const target = open.family === 6 ? `ipv6:[${open.address}]:${port}` : `ipv4:${open.address}:${port}`
  const credentials = tls
    ? grpc.credentials.createSsl(authoritiesOf(grants))
    : grpc.credentials.createInsecure()
  return new grpc.Client(target, credentials, {
    'grpc.default_authority': url.host,
    ...(tls && { 'grpc.ssl_target_name_override': host }),
    // A proxy would resolve the name again and bypass the gate.
    'grpc.enable_http_proxy': 0,
    'grpc.service_config_disable_resolution': 1,
  })
}

function authoritiesOf(grants: Collector['grants']): Buffer | null {
  const believed = believedAuthorities(grants)
  return believed === undefined ? null : Buffer.from(believed.join('\n'))
}

/** Fetches the values of the secret headers, which may have changed since the last request. */
async function headersOf(
  { headers, secretHeaders = {} }: SignalTarget,
  secrets: Secrets,
): Promise<Readonly<Record<string, string>>> {
  const fetched = await Promise.all(
    Object.entries(secretHeaders).map(async ([header, name]) => [header, await secrets.get(name)] as const),
  )
  return {
    ...headers,
    ...Object.fromEntries(fetched.filter((pair): pair is [string, string] => pair[1] !== undefined)),
  }
}

function targetOf(collector: Collector, signal: 'traces' | 'metrics'): SignalTarget {
  const target = collector[signal]
  if (target === undefined) throw new Error(`no ${signal} are sent to ${collector.name}`)
  return target
}
