import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { setImmediate as turnOfEventLoop } from 'node:timers/promises'
import { environmentSecrets } from '../../src/adapters/secrets/environment-secrets.ts'
import { openOtlpPipeline } from '../../src/adapters/telemetry/otlp-pipeline.ts'
import { parseHostGrant } from '../../src/policy/endpoint-gate.ts'
import { initialState } from '../../src/run/initial-state.ts'
import type { Span } from '../../src/run/ports.ts'
import { RunTrace } from '../../src/run/trace/run-trace.ts'
import { httpCollector } from './collector.ts'

function pipelineTo(url: string) {
  const { host, origin } = new URL(url)
  return openOtlpPipeline(
    {
      name: origin,
      protocol: 'http/protobuf',
      traces: { url: `${url}/v1/traces`, headers: {} },
      grants: { hosts: [parseHostGrant(host, 'flag')] },
    },
    { env: {}, secrets: environmentSecrets({}) },
  )
}

function spans(count: number): readonly Span[] {
  const trace = new RunTrace(initialState('run-1', 'a', ''))
  return Array.from({ length: count }, (_, i) => ({
    ...trace.context,
    span_id: trace.factSpan(i),
    name: 'aaif.agent.llm_call',
    kind: 'client',
    start: 1,
    end: 2,
    attributes: { 'llm.model': 'm' },
  }))
}

/** Takes a request and never answers it. */
async function silentCollector(t: TestContext) {
  const server = createServer(() => {})
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  t.after(() => server.closeAllConnections())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const asked = once(server, 'request')
  return { url, asked, hangUp: () => server.closeAllConnections() }
}

describe('AAIF §4.7 many spans', () => {
  test('all arrive once, in few requests, before the exporter is closed', async (t) => {
    const collector = await httpCollector(t)
    const pipeline = pipelineTo(collector.url)
    for (const span of spans(5000)) {
      pipeline.span(span)
      if (collector.spans.length === 0) await turnOfEventLoop()
    }
    assert.ok(collector.spans.length > 0)
    assert.equal(await pipeline.close(5000), undefined)
    assert.equal(new Set(collector.spans.map(({ id }) => id)).size, 5000)
    assert.equal(collector.spans.length, 5000)
    assert.ok(collector.paths.length < 10, `${collector.paths.length} requests`)
  })

  test('a slow collector does not block: spans that do not fit are dropped, and the loss is reported', async (t) => {
    const { url, asked, hangUp } = await silentCollector(t)
    const pipeline = pipelineTo(url)
    for (const span of spans(20_000)) pipeline.span(span)
    await asked
    const closed = pipeline.close(50)
    hangUp()
    assert.match((await closed) ?? '', /more data than the queue can store/)
  })

  test('ids of spans follow from the run’s id, and differ', () => {
    const ids = new Set<string>()
    for (const runId of ['run-1', 'run-2', '01a200be-3097-73bc-9c58-c41bf70b32fa']) {
      const trace = new RunTrace(initialState(runId, 'a', ''))
      const again = new RunTrace(initialState(runId, 'a', ''))
      for (let n = 0; n < 10_000; n++) {
        const key = `${runId}:1.${n}:call`
        const made = [trace.turnSpan(n), trace.attemptSpan(n), trace.factSpan(n), trace.callSpan({ key })]
        assert.equal(again.callSpan({ key }), made[3])
        for (const id of made) ids.add(id)
      }
    }
    assert.equal(ids.size, 3 * 4 * 10_000)
    for (const id of [...ids].slice(0, 100)) assert.match(id, /^[0-9a-f]{16}$/)
  })
})
