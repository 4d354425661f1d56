import { OpenTelemetry } from '@ai-sdk/otel'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { collectorPort, takingTurns } from '../../loop/collector.ts'
import type { Subject } from '../../loop/subject.ts'
import { generating } from './subject.ts'

const provider = new TracerProvider({
  spanProcessors: [
    // A queue for the spans of 1,000 concurrent runs: dropped spans would reduce the measured cost.
    new BatchSpanProcessor({
      exporter: new OTLPTraceExporter({ url: `http://127.0.0.1:${collectorPort}/v1/traces` }),
      maxQueueSize: 65_536,
    }),
  ],
})

/** The AI SDK with its own OpenTelemetry integration, to the same collector. */
export const subject: Subject = takingTurns(
  generating('AI SDK 7, reporting', new OpenTelemetry({ tracer: provider.getTracer('bench') })),
)
