import { type Attributes, type HrTime, SpanKind, type SpanStatus, SpanStatusCode } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import type { ReadableSpan } from '@opentelemetry/sdk-trace'
import type { Span } from '../../run/ports.ts'

/** State shared by all spans of one pipeline. */
export interface SpanSource {
  readonly resource: Resource
  readonly instrumentationScope: { readonly name: string }
}

const NONE: never[] = []
const OK: SpanStatus = { code: SpanStatusCode.UNSET }

/** Converts a span of a run to the form of OpenTelemetry's batches and serializers. */
export function readableSpan(span: Span, { resource, instrumentationScope }: SpanSource): ReadableSpan {
  const { trace_id, span_id, parent_id, error } = span
  const end = span.end ?? span.start
  const context = contextOf(trace_id, span_id)
  return {
    name: span.name,
    kind: span.kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL,
    spanContext: () => context,
    ...(parent_id !== null && { parentSpanContext: contextOf(trace_id, parent_id) }),
    startTime: hrTime(span.start),
    endTime: hrTime(end),
    duration: hrTime(end - span.start),
    ended: true,
    status: error === undefined ? OK : { code: SpanStatusCode.ERROR, message: error },
    attributes: attributesOf(span),
    events: NONE,
    links: NONE,
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
    resource,
    instrumentationScope,
  }
}

/** Only sampled spans are exported. */
function contextOf(traceId: string, spanId: string) {
  return { traceId, spanId, traceFlags: 1 }
}

function attributesOf({ attributes, error }: Span): Attributes {
  const given = attributes as Attributes
  return error === undefined ? given : { ...given, 'error.type': error }
}

/** @param ms milliseconds */
function hrTime(ms: number): HrTime {
  return [Math.floor(ms / 1_000), Math.round((ms % 1_000) * 1e6)]
}
