import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ProtobufTraceSerializer } from '@opentelemetry/otlp-transformer'
import { resourceFromAttributes } from '@opentelemetry/resources'
import fc from 'fast-check'
import { SpanBatch } from '../../src/adapters/telemetry/span-batch.ts'
import type { Span } from '../../src/run/ports.ts'

const RESOURCE = { 'service.name': 'waybill', 'telemetry.sdk.version': '2' }
const SCOPE = { name: 'waybill' }
const resource = resourceFromAttributes(RESOURCE)

const digits = (count: number) =>
  fc
    .array(fc.integer({ min: 0, max: 255 }), { minLength: count / 2, maxLength: count / 2 })
    .map((bytes) => Buffer.from(bytes).toString('hex'))
const text = fc.oneof(fc.string({ maxLength: 200 }), fc.string({ unit: 'binary', maxLength: 80 }))
const value = fc.oneof(
  text,
  fc.boolean(),
  fc.nat(),
  fc.maxSafeInteger().filter((n) => n >= 0),
  fc.double({ noInteger: true, noNaN: true }),
  fc.array(text, { maxLength: 5 }),
)
const span: fc.Arbitrary<Span> = fc.record(
  {
    trace_id: digits(32),
    span_id: digits(16),
    parent_id: fc.option(digits(16)),
    sampled: fc.constant(true),
    name: fc.constantFrom('aaif.agent.run', 'aaif.agent.llm_call'),
    kind: fc.constantFrom('internal', 'client'),
    start: fc.integer({ min: 0, max: 4e12 }),
    end: fc.option(fc.integer({ min: 0, max: 4e12 })),
    attributes: fc.dictionary(
      text.filter((name) => name !== '__proto__'),
      value,
      { maxKeys: 8, noNullPrototype: true },
    ),
    error: text.filter((code) => code !== ''),
  },
  {
    requiredKeys: [
      'trace_id',
      'span_id',
      'parent_id',
      'sampled',
      'name',
      'kind',
      'start',
      'end',
      'attributes',
    ],
  },
)

/** The span as OpenTelemetry's own serializer takes it. */
function readable({ trace_id, span_id, parent_id, name, kind, start, end, attributes, error }: Span): never {
  const time = (ms: number) => [Math.floor(ms / 1000), (ms % 1000) * 1e6]
  const context = (spanId: string) => ({ traceId: trace_id, spanId, traceFlags: 1 })
  return {
    spanContext: () => context(span_id),
    ...(parent_id !== null && { parentSpanContext: context(parent_id) }),
    name,
    kind: kind === 'client' ? 2 : 0,
    startTime: time(start),
    endTime: time(end ?? start),
    attributes: error === undefined ? attributes : { ...attributes, 'error.type': error },
    status: error === undefined ? { code: 0 } : { code: 2, message: error },
    events: [],
    links: [],
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
    resource,
    instrumentationScope: SCOPE,
  } as never
}

describe('OTLP', () => {
  test('what a batch writes is what OpenTelemetry’s serializer writes, byte for byte', () => {
    const batch = new SpanBatch(RESOURCE, SCOPE.name)
    fc.assert(
      fc.property(fc.array(span, { minLength: 1, maxLength: 6 }), (spans) => {
        for (const one of spans) batch.add(one)
        assert.equal(batch.size, spans.length)
        const expected = ProtobufTraceSerializer.serializeRequest(spans.map(readable))
        assert.equal(Buffer.from(batch.take()).toString('hex'), Buffer.from(expected ?? []).toString('hex'))
        assert.equal(batch.size, 0)
      }),
    )
  })

  test('a batch grows with what it holds', () => {
    const batch = new SpanBatch(RESOURCE, SCOPE.name)
    const long: Span = {
      trace_id: 'ab'.repeat(16),
      span_id: 'cd'.repeat(8),
      parent_id: null,
      sampled: true,
      name: 'aaif.agent.run',
      kind: 'internal',
      start: 1,
      end: 2,
      attributes: { 'agent.name': 'ä'.repeat(20_000) },
    }
    const spans = Array.from({ length: 20 }, () => long)
    for (const one of spans) batch.add(one)
    const expected = ProtobufTraceSerializer.serializeRequest(spans.map(readable))
    assert.ok(Buffer.from(expected ?? []).equals(batch.take()))
  })
})
