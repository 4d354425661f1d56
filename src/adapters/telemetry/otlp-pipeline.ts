import { randomUUID } from 'node:crypto'
import type { Histogram } from '@opentelemetry/api'
import { ProtobufMetricsSerializer } from '@opentelemetry/otlp-transformer'
import { defaultResource, type Resource, resourceFromAttributes } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  InstrumentType,
  MeterProvider,
  PeriodicExportingMetricReader,
  type PushMetricExporter,
} from '@opentelemetry/sdk-metrics'
import type { Measurement, Span } from '../../run/ports.ts'
import { type Collector, pairs } from './collector.ts'
import { CollectorRefusal, createOtlpSender, type OtlpSender } from './send-otlp.ts'
import { SpanBatch } from './span-batch.ts'

type Env = Readonly<Record<string, string | undefined>>

/** Spans in batches and OpenTelemetry's metrics, around our own way out. Loaded when something is to be sent. */
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
/** A request costs as much as a thousand spans do; collectors take 4 MiB at least. */
const FULL_BATCH = { spans: 2048, bytes: 2 ** 20 }
/** What comes beyond this while a collector takes its time is dropped. */
const MOST_WAITING = 8192
const METRICS_EVERY_MS = 60_000
/** Milliseconds: a run takes from a few to half an hour. */
const DURATIONS = [10, 50, 100, 250, 500, 1000, 2500, 5000, 10_000, 30_000, 60_000, 300_000, 1_800_000]
const SCOPE = 'waybill'

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
  const spans = new Spans(new SpanBatch(resource.attributes, SCOPE), exports)
  const instruments = openInstruments(resource, exports, env)
  return {
    span: (span) => spans.add(span),
    measure: ({ name, value, labels }) => instruments.record(name, value, labels),
    async close(withinMs) {
      exports.closeWithin(withinMs)
      await Promise.allSettled([spans.close(), instruments.shutdown()])
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
  #deadline = Number.POSITIVE_INFINITY

  constructor(sender: OtlpSender) {
    this.#sender = sender
  }

  closeWithin(ms: number): void {
    this.#deadline = performance.now() + ms
  }

  /** Never throws: why it did not arrive is the problem. */
  async send(signal: 'traces' | 'metrics', body: Uint8Array | undefined): Promise<Result> {
    if (body === undefined) return { code: 0 }
    try {
      await this.#send(signal, body)
      return { code: 0 }
    } catch (cause) {
      const error = cause instanceof Error ? cause : new Error(String(cause))
      this.problem ??= messageOf(error)
      return { code: 1, error }
    }
  }

  async #send(signal: 'traces' | 'metrics', body: Uint8Array): Promise<void> {
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

/** Spans leave when there are many, or after a while; one request at a time, so that a slow collector is not run over. */
class Spans {
  readonly #batch: SpanBatch
  readonly #exports: Exports
  #sending: Promise<void> | null = null
  #timer: NodeJS.Timeout | undefined

  constructor(batch: SpanBatch, exports: Exports) {
    this.#batch = batch
    this.#exports = exports
  }

  add(span: Span): void {
    if (this.#batch.size >= MOST_WAITING) {
      this.#exports.problem ??= 'more came than it could take'
      return
    }
    this.#batch.add(span)
    if (this.#sending !== null) return
    this.#sendSoon()
  }

  #sendSoon(): void {
    if (this.#batch.size >= FULL_BATCH.spans || this.#batch.bytes >= FULL_BATCH.bytes) this.#send()
    else this.#timer ??= setTimeout(() => this.#send(), SPANS_EVERY_MS).unref()
  }

  async close(): Promise<void> {
    await this.#sending
    this.#send()
    await this.#sending
    clearTimeout(this.#timer)
  }

  #send(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#batch.size === 0) return
    this.#sending = this.#exports.send('traces', this.#batch.take()).then(() => {
      this.#sending = null
      if (this.#batch.size > 0) this.#sendSoon()
    })
  }
}

/** The innermost cause says most: `fetch failed` says nothing. */
function messageOf(error: Error): string {
  let deepest: Error = error
  while (deepest.cause instanceof Error) deepest = deepest.cause
  return deepest.message || (deepest as NodeJS.ErrnoException).code || error.message
}

interface Instruments {
  record(name: Measurement['name'], value: number, labels: Measurement['labels']): void
  shutdown(): Promise<void>
}

function openInstruments(resource: Resource, exports: Exports, env: Env): Instruments {
  let pending: Promise<void> = Promise.resolve()
  const exporter: PushMetricExporter = {
    export: (metrics, done) => {
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
      const own = sums.get(name)
      if (own === undefined) duration.record(value, labels)
      else own.add(value, labels)
    },
    shutdown: () => provider.shutdown(),
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
