import { ownMember } from '../../document/own-member.ts'
import type { OperatorSettings } from '../../plan/operator-settings.ts'
import type { Plan } from '../../plan/plan.ts'
import { type Grants, parseHostGrant } from '../../policy/endpoint-gate.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Destination of spans and metrics. */
export interface Collector {
  /** Its name in messages. */
  readonly name: string
  readonly protocol: 'http/protobuf' | 'grpc'
  /** Absent: not sent. */
  readonly traces?: SignalTarget
  readonly metrics?: SignalTarget
  /** Allowed hosts; the operator's own collector needs no additional grant. */
  readonly grants: Grants
}

export interface SignalTarget {
  readonly url: string
  /** From the OpenTelemetry variables. May contain secrets: never shown. */
  readonly headers: Readonly<Record<string, string>>
  /** Names of secrets by header: the value is fetched for each request; the header is omitted if it is not set. */
  readonly secretHeaders?: Readonly<Record<string, string>>
}

type Signal = 'traces' | 'metrics'

/**
 * Returns the collector of an agent: that of its definition, if its host was granted, else the operator's (AAIF §4.7).
 * Headers are set by the operator and sent only to the operator's collector. A rehearsal does not send telemetry.
 * @returns null if telemetry is not sent
 */
export function collectorOf(plan: Plan, settings: OperatorSettings, env: Env): Collector | null {
  if (plan.rehearsal || (!plan.telemetry.tracing && !plan.telemetry.metrics)) return null
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return null
  const { otlp_endpoint } = plan.telemetry
  const collector =
    otlp_endpoint === undefined
      ? operatorsCollector(settings, env)
      : collectorAt(otlp_endpoint, settings.telemetry?.protocol, { headers: {} }, settings.grants)
  if (collector === null) return null
  const { traces, metrics, ...rest } = collector
  const wanted = {
    ...rest,
    ...(plan.telemetry.tracing && env.OTEL_TRACES_EXPORTER !== 'none' && traces !== undefined && { traces }),
    ...(plan.telemetry.metrics &&
      env.OTEL_METRICS_EXPORTER !== 'none' &&
      metrics !== undefined && { metrics }),
  }
  return wanted.traces === undefined && wanted.metrics === undefined ? null : wanted
}

/** The OpenTelemetry variables take precedence over the configuration, because they apply to one process. */
function operatorsCollector({ telemetry = {}, grants }: OperatorSettings, env: Env): Collector | null {
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT || undefined
  const own = {
    traces: env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || undefined,
    metrics: env.OTEL_EXPORTER_OTLP_METRICS_ENDPOINT || undefined,
  }
  const named = base ?? own.traces ?? own.metrics
  if (named === undefined) {
    if (telemetry.otlp_endpoint === undefined) return null
    const { otlp_endpoint, protocol, headers: secretHeaders = {} } = telemetry
    return withOwnHost(collectorAt(otlp_endpoint, protocol, { headers: {}, secretHeaders }, grants))
  }
  const protocol = protocolIn(env.OTEL_EXPORTER_OTLP_PROTOCOL) ?? telemetry.protocol
  const common = collectorAt(named, protocol, { headers: {} }, grants)
  const target = (signal: Signal, more: string | undefined): Partial<Record<Signal, SignalTarget>> => {
    const headers = { ...pairs(env.OTEL_EXPORTER_OTLP_HEADERS), ...pairs(more) }
    const url = own[signal] ?? (base === undefined ? undefined : signalUrl(base, signal))
    return url === undefined ? {} : { [signal]: { url, headers } }
  }
  const { name, protocol: spoken } = common
  return withOwnHost({
    name,
    protocol: spoken,
    grants,
    ...target('traces', env.OTEL_EXPORTER_OTLP_TRACES_HEADERS),
    ...target('metrics', env.OTEL_EXPORTER_OTLP_METRICS_HEADERS),
  })
}

function collectorAt(
  endpoint: string,
  protocol: Collector['protocol'] | undefined,
  headers: Omit<SignalTarget, 'url'>,
  grants: Grants,
): Collector {
  // By convention 4317 is the port of gRPC, and 4318 that of HTTP.
  const spoken = protocol ?? (URL.parse(endpoint)?.port === '4317' ? 'grpc' : 'http/protobuf')
  return {
    name: URL.parse(endpoint)?.origin ?? 'the collector',
    protocol: spoken,
    traces: { url: signalUrl(endpoint, 'traces'), ...headers },
    metrics: { url: signalUrl(endpoint, 'metrics'), ...headers },
    grants,
  }
}

/** The operator's collector is granted, including private addresses; hosts denied by a project remain denied. */
function withOwnHost(collector: Collector): Collector {
  const hosts = [collector.traces, collector.metrics].flatMap((target) => {
    const host = target === undefined ? undefined : URL.parse(target.url)?.host
    return host === undefined || host === '' ? [] : [parseHostGrant(host, 'flag')]
  })
  const { grants } = collector
  return { ...collector, grants: { ...grants, hosts: [...hosts, ...grants.hosts] } }
}

/** Adds the path of a signal, unless the endpoint already has it. */
function signalUrl(endpoint: string, signal: Signal): string {
  return `${endpoint.replace(/\/(v1\/(traces|metrics)\/?)?$/, '')}/v1/${signal}`
}

function protocolIn(text: string | undefined): Collector['protocol'] | undefined {
  return text === 'grpc' || text === 'http/protobuf' ? text : undefined
}

/** Parses `name=value,name=value` with URL-encoded values: the syntax of headers and resource attributes. */
export function pairs(text: string | undefined): Record<string, string> {
  return Object.fromEntries(
    (text ?? '').split(',').flatMap((pair) => {
      const at = pair.indexOf('=')
      if (at <= 0) return []
      return [[pair.slice(0, at).trim(), decoded(pair.slice(at + 1).trim())]]
    }),
  )
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Returns the values in OpenTelemetry variables that are only for the collector. */
export function collectorSecrets(env: Env): ReadonlyMap<string, string> {
  const headers = ['', 'TRACES_', 'METRICS_'].map((signal) => `OTEL_EXPORTER_OTLP_${signal}HEADERS`)
  const values = new Map<string, string>()
  for (const name of headers)
    for (const value of Object.values(pairs(ownMember(env, name)))) values.set(name, value)
  return values
}
