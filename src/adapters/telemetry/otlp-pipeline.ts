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

/** OpenTelemetry's batches and metrics, around our own exporter. Loaded when something is to be sent. */
export interface OtlpPipeline {
  span(span: Span): void
  measure(measurement: Measurement): void
  /**
   * Sends what waits now; a request that fails is not repeated.
   * @returns why something has not arrived since the last flush, if so
   */
  flush(): Promise<string | undefined>
  /** The same within a time in milliseconds, and accepts nothing more. */
  close(withinMs: number): Promise<string | undefined>
}

const TIMEOUT_MS = 5000
/** Of one request. A process that ends does not try again. */
const ATTEMPTS = 3
const BACKOFF_MS = 500
/** Longer than all attempts together. */
const EXPORT_MS = 20_000
const SPANS_EVERY_MS = 1000
/** A request costs as much as a thousand spans do. Spans hold names and numbers, so these stay far below 4 MiB. */
const BATCH_SPANS = 2048
/** What comes beyond this while a collector is slow is dropped. */
const MOST_WAITING = 8192
const METRICS_EVERY_MS = 60_000
/** Milliseconds: a run takes from a few to half an hour. */
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

/** What both signals share: the way out, the time that is left, and what went wrong first. */
class Exports {
  problem: string | undefined
  readonly #sender: OtlpSender
  #deadline = Number.POSITIVE_INFINITY
  /** Flushes that wait for requests. */
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

  /** Never throws: why it did not arrive is the problem. */
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
      // The processor drops it without a word.
      if (waiting >= MOST_WAITING) exports.problem ??= 'more came than it could take'
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

/** The innermost cause says most: `fetch failed` says nothing. */
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
      // The reader exports once more when it is closed, also when a flush has just sent the same.
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
    description: 'How long runs were at work.',
    unit: 'ms',
    advice: { explicitBucketBoundaries: DURATIONS },
  })
  // Sums are kept here and only looked at when they are sent: it costs a fraction of telling each addition.
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

/** Sums by their labels, found one label after the other: to put their values together would cost more than adding. */
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
