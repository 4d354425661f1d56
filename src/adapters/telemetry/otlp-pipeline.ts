import { randomUUID } from 'node:crypto'
import type { Attributes, Histogram, HrTime, SpanContext } from '@opentelemetry/api'
import { ProtobufMetricsSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer'
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  InstrumentType,
  MeterProvider,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
} from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, type ReadableSpan } from '@opentelemetry/sdk-trace'
import type { Measurement, Span } from '../../run/ports.ts'
import { type Collector, pairs } from './collector.ts'
import { CollectorRefusal, createOtlpSender, type OtlpSender } from './send-otlp.ts'

type Env = Readonly<Record<string, string | undefined>>

/** OpenTelemetry's batching and encoding, around our own way out. Loaded when something is to be sent. */
export interface OtlpPipeline {
  span(span: Span): void
  measure(measurement: Measurement): void
  /** @returns why something did not arrive, if so */
  close(withinMs: number): Promise<string | undefined>
}

const TIMEOUT_MS = 5000
/** Of one request. A process that ends does not try again. */
const ATTEMPTS = 3
const BACKOFF_MS = 500
const EXPORT_MS = 20_000
const SPANS_EVERY_MS = 1000
const METRICS_EVERY_MS = 60_000
/** Milliseconds: a run takes from a few to half an hour. */
const DURATIONS = [10, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 60_000, 300_000, 1_800_000]
const SCOPE = { name: 'waybill' }
const UNSET: ReadableSpan['status'] = { code: 0 }

export function openOtlpPipeline(collector: Collector, env: Env): OtlpPipeline {
  const resource = defaultResource().merge(
    resourceFromAttributes({
      'service.name': 'waybill',
      'service.instance.id': randomUUID(),
      ...pairs(env.OTEL_RESOURCE_ATTRIBUTES),
      ...(env.OTEL_SERVICE_NAME && { 'service.name': env.OTEL_SERVICE_NAME }),
    }),
  )
  const sender = createOtlpSender(collector)
  const exports = new Exports(sender)
  const processor = new BatchSpanProcessor({
    exporter: exports.of('traces', (spans: ReadableSpan[]) =>
      ProtobufTraceSerializer.serializeRequest(spans),
    ),
    scheduledDelayMillis: SPANS_EVERY_MS,
    exportTimeoutMillis: EXPORT_MS,
  })
  const instruments = openInstruments(resource, exports, env)
  return {
    span: (span) => processor.onEnd(new ExportedSpan(span, resource)),
    measure: ({ name, value, labels }) => instruments.record(name, value, labels),
    async close(withinMs) {
      exports.closeWithin(withinMs)
      await Promise.allSettled([processor.shutdown(), instruments.shutdown()])
      sender.close()
      return exports.problem
    },
  }
}

type Result = { readonly code: 0 | 1; readonly error?: Error }

/** What both signals share: the way out, the time that is left, and what went wrong first. */
class Exports {
  problem: string | undefined
  readonly #sender: OtlpSender
  readonly #pending = new Set<Promise<void>>()
  #deadline = Number.POSITIVE_INFINITY

  constructor(sender: OtlpSender) {
    this.#sender = sender
  }

  closeWithin(ms: number): void {
    this.#deadline = performance.now() + ms
  }

  of<Items>(signal: 'traces' | 'metrics', encode: (items: Items) => Uint8Array | undefined) {
    return {
      export: (items: Items, done: (result: Result) => void): void => {
        const sent = this.#send(signal, encode(items)).then(
          () => done({ code: 0 }),
          (cause: unknown) => {
            const error = cause instanceof Error ? cause : new Error(String(cause))
            this.problem ??= messageOf(error)
            done({ code: 1, error })
          },
        )
        this.#pending.add(sent)
        void sent.finally(() => this.#pending.delete(sent))
      },
      forceFlush: async (): Promise<void> => {
        await Promise.all(this.#pending)
      },
      shutdown: async (): Promise<void> => {
        await Promise.all(this.#pending)
      },
    }
  }

  async #send(signal: 'traces' | 'metrics', body: Uint8Array | undefined): Promise<void> {
    if (body === undefined) return
    for (let attempt = 1; ; attempt++) {
      const left = this.#deadline - performance.now()
      try {
        return await this.#sender.send(signal, body, Math.max(1, Math.ceil(Math.min(TIMEOUT_MS, left))))
      } catch (error) {
        const last = attempt === ATTEMPTS || this.#deadline !== Number.POSITIVE_INFINITY
        if (last || error instanceof CollectorRefusal) throw error
        await new Promise((resolve) => setTimeout(resolve, attempt * BACKOFF_MS).unref())
      }
    }
  }
}

/** The innermost cause says most: `fetch failed` says nothing. */
function messageOf(error: Error): string {
  let deepest: Error = error
  while (deepest.cause instanceof Error) deepest = deepest.cause
  return deepest.message || (deepest as NodeJS.ErrnoException).code || error.message
}

/** Our span as OpenTelemetry's exporters take it: what is the same for all is on the prototype. */
class ExportedSpan implements ReadableSpan {
  readonly name: string
  readonly kind: 0 | 2
  readonly parentSpanContext?: SpanContext
  readonly startTime: HrTime
  readonly endTime: HrTime
  readonly status: ReadableSpan['status']
  readonly attributes: Attributes
  readonly resource: ReadableSpan['resource']
  readonly #context: SpanContext

  constructor(span: Span, resource: ReadableSpan['resource']) {
    const { trace_id: traceId, parent_id, error, start } = span
    this.#context = { traceId, spanId: span.span_id, traceFlags: 1 }
    if (parent_id !== null) this.parentSpanContext = { traceId, spanId: parent_id, traceFlags: 1 }
    this.name = span.name
    this.kind = span.kind === 'client' ? 2 : 0
    this.startTime = hrTime(start)
    this.endTime = hrTime(span.end ?? start)
    this.status = error === undefined ? UNSET : { code: 2, message: error }
    this.attributes = (
      error === undefined ? span.attributes : { ...span.attributes, 'error.type': error }
    ) as Attributes
    this.resource = resource
  }

  spanContext(): SpanContext {
    return this.#context
  }

  get duration(): HrTime {
    const ms = (this.endTime[0] - this.startTime[0]) * 1000 + (this.endTime[1] - this.startTime[1]) / 1e6
    return hrTime(ms)
  }

  get ended(): boolean {
    return true
  }

  get links(): ReadableSpan['links'] {
    return []
  }

  get events(): ReadableSpan['events'] {
    return []
  }

  get instrumentationScope(): ReadableSpan['instrumentationScope'] {
    return SCOPE
  }

  get droppedAttributesCount(): number {
    return 0
  }

  get droppedEventsCount(): number {
    return 0
  }

  get droppedLinksCount(): number {
    return 0
  }
}

function hrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000)
  return [seconds, Math.round((ms - seconds * 1000) * 1e6)]
}

interface Instruments {
  record(name: Measurement['name'], value: number, labels: Measurement['labels']): void
  shutdown(): Promise<void>
}

function openInstruments(resource: ReadableSpan['resource'], exports: Exports, env: Env): Instruments {
  const exporter: PushMetricExporter = {
    ...exports.of('metrics', (metrics: Parameters<typeof ProtobufMetricsSerializer.serializeRequest>[0]) =>
      ProtobufMetricsSerializer.serializeRequest(metrics),
    ),
    selectAggregationTemporality: temporality(env.OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE),
  }
  const reader = new PeriodicExportingMetricReader({
    exporter,
    exportIntervalMillis: METRICS_EVERY_MS,
    exportTimeoutMillis: EXPORT_MS,
  })
  const provider = new MeterProvider({ resource, readers: [reader] })
  const meter = provider.getMeter(SCOPE.name)
  const duration: Histogram = meter.createHistogram('aaif_agent_run_duration_ms', {
    description: 'How long runs were at work.',
    unit: 'ms',
    advice: { explicitBucketBoundaries: DURATIONS },
  })
  // Sums are kept here and only looked at when they are sent: it costs a fraction of telling each addition.
  const sums = new Map<string, Map<string, Sum>>()
  for (const [name, options] of Object.entries(COUNTERS)) {
    const own = new Map<string, Sum>()
    sums.set(name, own)
    meter.createObservableCounter(name, options).addCallback((result) => {
      for (const { value, labels } of own.values()) result.observe(value, labels)
    })
  }
  return {
    record(name, value, labels) {
      const own = sums.get(name)
      if (own === undefined) {
        duration.record(value, labels)
        return
      }
      const key = Object.values(labels).join('\n')
      const sum = own.get(key)
      if (sum === undefined) own.set(key, { value, labels })
      else sum.value += value
    },
    shutdown: () => provider.shutdown(),
  }
}

interface Sum {
  value: number
  readonly labels: Measurement['labels']
}

const COUNTERS = {
  aaif_agent_run_total: { description: 'Runs that ended.' },
  aaif_agent_llm_tokens_total: { description: 'Tokens sent to models and received from them.' },
  aaif_agent_tool_calls_total: { description: 'Tool calls that were made.' },
  aaif_agent_cost_usd_total: { description: 'What model calls of a known price cost.', unit: 'USD' },
} as const satisfies Partial<Record<Measurement['name'], object>>

/** As OpenTelemetry names the preferences; cumulative when nothing is said. */
function temporality(preference: string | undefined): (type: InstrumentType) => AggregationTemporality {
  const wanted = preference?.toLowerCase()
  return (type) => {
    const delta =
      type === InstrumentType.HISTOGRAM ? wanted === 'delta' || wanted === 'lowmemory' : wanted === 'delta'
    return delta ? AggregationTemporality.DELTA : AggregationTemporality.CUMULATIVE
  }
}
