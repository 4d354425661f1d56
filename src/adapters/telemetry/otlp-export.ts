import { setImmediate as turnOfEventLoop } from 'node:timers/promises'
import { messageOf } from '../../document/message-of.ts'
import type { Measurement, Secrets, Span, TelemetryPort } from '../../run/ports.ts'
import type { Collector } from './collector.ts'
import type { OtlpPipeline } from './otlp-pipeline.ts'

export interface OtlpExportOptions {
  readonly collector: Collector
  /** For the variables of OpenTelemetry. */
  readonly env: Readonly<Record<string, string | undefined>>
  readonly secrets: Secrets
}

/** One collector for all runs of an agent. */
export interface OtlpExport extends TelemetryPort {
  /**
   * Sends all queued data. Calls within one turn of the event loop, or during an earlier flush, share one flush.
   * @param withinMs timeout in milliseconds
   * @returns the reason if data did not arrive
   */
  flush(withinMs: number): Promise<string | undefined>
}

/** Maximum queue length while the libraries are loading; more than a run produces in that time. */
const EARLY = 2048

/**
 * Sends spans and metrics to a collector over OTLP, in batches and in the background. A slow or missing collector does
 * not delay a run: data that does not fit into the queue is dropped, and the reason is reported once, at the end.
 */
export function createOtlpExport(options: OtlpExportOptions): OtlpExport {
  let pipeline: OtlpPipeline | undefined
  let problem: string | undefined
  const early: ((open: OtlpPipeline) => void)[] = []
  const opened = import('./otlp-pipeline.ts').then(
    ({ openOtlpPipeline }) => {
      pipeline = openOtlpPipeline(options.collector, options)
      for (const act of early.splice(0)) act(pipeline)
    },
    (error: unknown) => {
      problem = messageOf(error)
    },
  )
  const give = (act: (open: OtlpPipeline) => void): void => {
    if (pipeline !== undefined) act(pipeline)
    else if (early.length < EARLY) early.push(act)
  }
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<string | undefined> | undefined
  let closed: Promise<string | undefined> | undefined
  const flushed = (): Promise<string | undefined> => {
    if (next !== undefined) return next
    next = running.then(turnOfEventLoop).then(() => {
      next = undefined
      // Closing also flushes.
      return closed ?? pipeline?.flush() ?? problem
    })
    running = next
    return next
  }
  /** @returns the problem of a flush, with the name of the collector; also if it exceeds the timeout */
  const within = async (withinMs: number, work: Promise<string | undefined>): Promise<string | undefined> => {
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<string>((resolve) => {
      timer = setTimeout(() => resolve(`it did not accept all data within ${withinMs} ms`), withinMs)
    })
    const problem = await Promise.race([work, late])
    clearTimeout(timer)
    return problem === undefined ? undefined : `${options.collector.name}: ${problem}`
  }
  return {
    span: (span: Span) => {
      if (options.collector.traces !== undefined && span.sampled) give((open) => open.span(span))
    },
    measure: (measurement: Measurement) => {
      if (options.collector.metrics !== undefined) give((open) => open.measure(measurement))
    },
    flush: (withinMs) => within(withinMs, opened.then(flushed)),
    close(withinMs) {
      closed ??= opened.then(() => pipeline?.close(withinMs) ?? problem)
      return within(withinMs, closed)
    },
  }
}
