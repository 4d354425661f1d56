import type { Measurement, Span, TelemetryPort } from '../../run/ports.ts'
import type { Collector } from './collector.ts'
import type { OtlpPipeline } from './otlp-pipeline.ts'

export interface OtlpExportOptions {
  readonly collector: Collector
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Kept while the libraries are still being loaded; more than a run makes in that time. */
const EARLY = 2048

/**
 * Sends spans and metrics to a collector over OTLP, in batches and in the background. A collector that is slow or gone
 * costs a run nothing: what does not fit into the queue is dropped, and why is said once, at the end.
 */
export function createOtlpExport(options: OtlpExportOptions): TelemetryPort {
  let pipeline: OtlpPipeline | undefined
  let problem: string | undefined
  const early: ((open: OtlpPipeline) => void)[] = []
  const opened = import('./otlp-pipeline.ts').then(
    ({ openOtlpPipeline }) => {
      pipeline = openOtlpPipeline(options.collector, options.env)
      for (const act of early.splice(0)) act(pipeline)
    },
    (error: unknown) => {
      problem = error instanceof Error ? error.message : String(error)
    },
  )
  const give = (act: (open: OtlpPipeline) => void): void => {
    if (pipeline !== undefined) act(pipeline)
    else if (early.length < EARLY) early.push(act)
  }
  return {
    span: (span: Span) => {
      if (options.collector.traces !== undefined && span.sampled) give((open) => open.span(span))
    },
    measure: (measurement: Measurement) => {
      if (options.collector.metrics !== undefined) give((open) => open.measure(measurement))
    },
    async close(withinMs) {
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<string>((resolve) => {
        timer = setTimeout(() => resolve(`it did not take everything within ${withinMs} ms`), withinMs)
      })
      const said = await Promise.race([opened.then(() => pipeline?.close(withinMs) ?? problem), late])
      clearTimeout(timer)
      return said === undefined ? undefined : `${options.collector.name}: ${said}`
    },
  }
}
