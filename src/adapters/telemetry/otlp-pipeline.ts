import { randomUUID } from 'node:crypto'
import type { Histogram } from '@opentelemetry/api'
import { ProtobufMetricsSerializer, ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer'
import { defaultResource, type Resource, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  InstrumentType,
  MeterProvider,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
} from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace'
import type { Measurement, Secrets, Span } from '../../run/ports.ts'
import { type Collector, pairs } from './collector.ts'
import { readableSpan } from './readable-span.ts'
import { CollectorRefusal, createOtlpSender, type OtlpSender } from './send-otlp.ts'

type Env = Readonly<Record<string, string | undefined>>

/** OpenTelemetry batches and metrics with our own exporter. Loaded on first use. */
export interface OtlpPipeline {
  span(span: Span): void
  measure(measurement: Measurement): void
  /**
   * Sends all queued data, without retries.
   * @returns the reason if data did not arrive since the last flush
   */
  flush(): Promise<string | undefined>
  /** Flushes within a timeout in milliseconds, and accepts no more data. */
  close(withinMs: number): Promise<string | undefined>
}

const TIMEOUT_MS = 5000
/** Timeout of one request. A process that ends does not retry. */
const ATTEMPTS = 3
const BACKOFF_MS = 500
/** Longer than all attempts of a request together. */
const EXPORT_MS = 20_000
const SPANS_EVERY_MS = 1000
/** A request costs as much as a thousand spans. Spans contain names and numbers, so a batch stays far below 4 MiB. */
const BATCH_SPANS = 2048
/** Data beyond this limit is dropped while a collector is slow. */
const MOST_WAITING = 8192
const METRICS_EVERY_MS = 60_000
/** In milliseconds: a run takes from a few milliseconds to half an hour. */
const DURATIONS = [10, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 60_000, 300_000, 1_800_000]
const SCOPE = 'waybill'

export function openOtlpPipeline(
  collector: Collector,
  { env, secrets }: { readonly env: Env; readonly secrets: Secrets },
): OtlpPipeline {
  const resource = defaultResource().merge(
    resourceFromAttributes({
      'service.name': 'waybill',
      'service.instance.id': randomUUID(),
      ...pairs(env.OTEL_RESOURCE_ATTRIBUTES),
      ...(env.OTEL_SERVICE_NAME && { 'service.name': env.OTEL_SERVICE_NAME }),
    }),
  )
  const sender = createOtlpSender(collector, secrets)
  const exports = new Exports(sender)
  const spans = openSpans(resource, exports)
  const instruments = openInstruments(resource, exports, env)
  return {
    span: (span) => spans.add(span),
    measure: ({ name, value, labels }) => instruments.record(name, value, labels),
    flush: () => exports.once(() => Promise.allSettled([spans.flush(), instruments.flush()])),
    async close(withinMs) {
      exports.closeWithin(withinMs)
      const problem = await exports.once(() => Promise.allSettled([spans.close(), instruments.close()]))
      sender.close()
      return problem
    },
  }
}

type Result = { readonly code: 0 | 1; readonly error?: Error }

/** State of both signals: the sender, the remaining time and the first problem. */
class Exports {
  problem: string | undefined
  readonly #sender: OtlpSender
  #deadline = Number.POSITIVE_INFINITY
  /** Number of flushes that wait for requests. */
  #waited = 0

  constructor(sender: OtlpSender) {
    this.#sender = sender
  }

  closeWithin(ms: number): void {
    this.#deadline = performance.now() + ms
  }

  /** Sends without repeating failed requests, and returns the problem since the last time. */
  async once(send: () => Promise<unknown>): Promise<string | undefined> {
    this.#waited++
    try {
      await send()
    } finally {
      this.#waited--
    }
    const { problem } = this
    this.problem = undefined
    return problem
  }

  /** Never throws: records the reason as the problem. */
  async send(signal: 'traces' | 'metrics', body: Uint8Array | undefined): Promise<Result> {
    if (body === undefined) return { code: 0 }
    try {
      await this.#send(signal, body)
      return { code: 0 }
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause))
      this.problem ??= innermostMessage(error)
      return { code: 1, error }
    }
  }

  async #send(signal: 'traces' | 'metrics', body: Uint8Array): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const left = this.#deadline - performance.now()
      try {
        return await this.#sender.send(signal, body, Math.max(1, Math.ceil(Math.min(TIMEOUT_MS, left))))
      } catch (error) {
        const last = attempt === ATTEMPTS || this.#waited > 0
        if (last || error instanceof CollectorRefusal) throw error
        await new Promise((resolve) => setTimeout(resolve, attempt * BACKOFF_MS).unref())
      }
    }
  }
}

interface Spans {
  add(span: Span): void
  flush(): Promise<void>
  close(): Promise<void>
}

function openSpans(resource: Resource, exports: Exports): Spans {
  const source = { resource, instrumentationScope: { name: SCOPE } }
  const underWay = new Set<Promise<unknown>>()
  let waiting = 0
  const exporter: SpanExporter = {
    export(spans, done) {
      waiting -= spans.length
      const sent = exports.send('traces', ProtobufTraceSerializer.serializeRequest(spans)).then((result) => {
        underWay.delete(sent)
        done(result)
      })
      underWay.add(sent)
    },
    // The processor waits for the batches that it flushes, but not for one that it is already sending.
    forceFlush: async () => void (await Promise.all(underWay)),
    shutdown: async () => void (await Promise.all(underWay)),
  }
  const processor = new BatchSpanProcessor({
    exporter,
    maxQueueSize: MOST_WAITING,
    maxExportBatchSize: BATCH_SPANS,
    scheduledDelayMillis: SPANS_EVERY_MS,
    exportTimeoutMillis: EXPORT_MS,
  })
  return {
    add(span) {
      // The processor drops it silently.
      if (waiting >= MOST_WAITING) exports.problem ??= 'more data than the queue can store'
      else waiting++
      processor.onEnd(readableSpan(span, source))
    },
    async flush() {
      await processor.forceFlush()
      await exporter.forceFlush?.()
    },
    close: () => processor.shutdown(),
  }
}

/** The innermost cause is the most specific: `fetch failed` is not helpful. */
function innermostMessage(error: Error): string {
  let deepest: Error = error
  while (deepest.cause instanceof Error) deepest = deepest.cause
  return deepest.message || (deepest as NodeJS.ErrnoException).code || error.message
}

interface Instruments {
  record(name: Measurement['name'], value: number, labels: Measurement['labels']): void
  flush(): Promise<void>
  close(): Promise<void>
}

function openInstruments(resource: Resource, exports: Exports, env: Env): Instruments {
  let pending: Promise<void> = Promise.resolve()
  let closing = false
  let unsent = false
  const exporter: PushMetricExporter = {
    export: (metrics, done) => {
      // The reader exports again when it is closed, even directly after a flush.
      if (closing && !unsent) return done({ code: 0 })
      unsent = false
      pending = exports.send('metrics', ProtobufMetricsSerializer.serializeRequest(metrics)).then(done)
    },
    forceFlush: () => pending,
    shutdown: () => pending,
    selectAggregationTemporality: temporality(env.OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE),
  }
  const reader = new PeriodicExportingMetricReader({
    exporter,
    exportIntervalMillis: METRICS_EVERY_MS,
    exportTimeoutMillis: EXPORT_MS,
  })
  const provider = new MeterProvider({ resource, readers: [reader] })
  const meter = provider.getMeter(SCOPE)
  const duration: Histogram = meter.createHistogram('aaif_agent_run_duration_ms', {
    description: 'Duration of runs.',
    unit: 'ms',
    advice: { explicitBucketBoundaries: DURATIONS },
  })
  // Sums are stored here and read only when they are sent, which is much cheaper than reporting each addition.
  const sums = new Map<string, Sums>()
  for (const [name, options] of Object.entries(COUNTERS)) {
    const own = new Sums()
    sums.set(name, own)
    meter.createObservableCounter(name, options).addCallback((result) => {
      for (const { value, labels } of own.all) result.observe(value, labels)
    })
  }
  return {
    record(name, value, labels) {
      unsent = true
      const own = sums.get(name)
      if (own === undefined) duration.record(value, labels)
      else own.add(value, labels)
    },
    flush: () => (unsent ? provider.forceFlush() : pending),
    close() {
      closing = true
      return provider.shutdown()
    },
  }
}

interface Sum {
  value: number
  readonly labels: Measurement['labels']
}

/** Sums by their labels, looked up label by label: building a combined key would cost more than adding. */
class Sums {
  readonly all: Sum[] = []
  readonly #root: SumNode = { next: new Map(), sum: null }

  add(value: number, labels: Measurement['labels']): void {
    let node = this.#root
    for (const label in labels) {
      const key = labels[label] as string
      let next = node.next.get(key)
      if (next === undefined) {
        next = { next: new Map(), sum: null }
        node.next.set(key, next)
      }
      node = next
    }
    if (node.sum !== null) {
      node.sum.value += value
      return
    }
    node.sum = { value, labels }
    this.all.push(node.sum)
  }
}

interface SumNode {
  readonly next: Map<string, SumNode>
  sum: Sum | null
}

const COUNTERS = {
  aaif_agent_run_total: { description: 'Runs that ended.' },
  aaif_agent_llm_tokens_total: { description: 'Tokens sent to and received from models.' },
  aaif_agent_tool_calls_total: { description: 'Tool calls that were made.' },
  aaif_agent_cost_usd_total: { description: 'Cost of model calls with a known price.', unit: 'USD' },
} as const satisfies Partial<Record<Measurement['name'], object>>

/** Temporality preferences of OpenTelemetry; default: cumulative. */
function temporality(preference: string | undefined): (type: InstrumentType) => AggregationTemporality {
  const wanted = preference?.toLowerCase()
  return (type) => {
    const delta =
      type === InstrumentType.HISTOGRAM ? wanted === 'delta' || wanted === 'lowmemory' : wanted === 'delta'
    return delta ? AggregationTemporality.DELTA : AggregationTemporality.CUMULATIVE
  }
}
