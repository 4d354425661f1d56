import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { parseAgentDefinition, type RunOptions, run } from 'waybill'
import { createOtlpSender } from '../../src/adapters/telemetry/send-otlp.ts'
import type { JsonObject } from '../../src/document/json.ts'
import { parseHostGrant } from '../../src/policy/endpoint-gate.ts'
import { ModelFailure } from '../../src/run/ports.ts'
import { noCertificates, ownAuthority, tlsFront } from '../adapters/tls-front.ts'
import { slowSecrets } from '../contract/slow-secrets.ts'
import { agent, calls, fails, runFamily, type Says } from '../run/family.ts'
import { grpcCollector, httpCollector, type ReceivedSpan, type TestCollector } from './collector.ts'

const KEY = { OPENAI_API_KEY: 'not-used' }
const OBJECT = { type: 'object', properties: { x: { type: 'string' } } }

/** An agent with a function, and with a model that calls it once. */
const CLERK = agent('Clerk', {
  version: '2.1.0',
  tools: [
    { name: 'look', description: 'Looks.', parameters_schema: OBJECT },
    { name: 'send', description: 'Sends.', parameters_schema: OBJECT },
  ],
})

const LOOKS: Says = ({ request }) =>
  request.messages.length === 1 ? calls(['c1', 'look', { x: 'a secret question' }]) : 'the answer'

const TOOLS = {
  look: Object.assign(async () => 'a private result', { readOnly: true }),
  send: async () => {
    throw new Error('out of stamps')
  },
}

function go(
  t: TestContext,
  collector: TestCollector | null,
  says: Says,
  more: Partial<RunOptions> & JsonOf = {},
) {
  const { definition = CLERK, env = {}, ...options } = more
  return runFamily(
    t,
    [definition],
    { Clerk: says },
    {
      tools: TOOLS,
      env: { ...KEY, ...(collector !== null && { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }), ...env },
      ...options,
    },
  )
}

interface JsonOf {
  readonly definition?: JsonObject
}

const named = (spans: readonly ReceivedSpan[], name: string) =>
  spans.filter((span) => span.name === `aaif.agent.${name}`)

function only(spans: readonly ReceivedSpan[], name: string): ReceivedSpan {
  const [span, ...more] = named(spans, name)
  assert.ok(span !== undefined && more.length === 0, `one ${name}, not ${named(spans, name).length}`)
  return span
}

describe('AAIF §4.7 what a run reports', () => {
  for (const [protocol, open] of [
    ['http/protobuf', httpCollector],
    ['grpc', grpcCollector],
  ] as const) {
    test(`AAIF-4.7-01, AAIF-4.7-02, AAIF-4.7-03, SPEC-J-02: a tool loop over ${protocol}`, async (t) => {
      const collector = await open(t)
      const env = { OTEL_EXPORTER_OTLP_PROTOCOL: protocol, OTEL_SERVICE_NAME: 'counter' }
      const { result } = await go(t, collector, LOOKS, { env })
      assert.equal(result.status, 'completed')
      const spans = await collector.runs(1)
      const root = only(spans, 'run')
      assert.equal(root.parent, '')
      assert.match(root.trace, /^[0-9a-f]{32}$/)
      assert.equal(root.error, false)
      const { attributes } = root
      assert.equal(attributes['agent.id'], result.agent_id)
      assert.deepEqual(
        ['agent.name', 'agent.version', 'model.provider', 'model.name'].map((name) => attributes[name]),
        ['Clerk', '2.1.0', 'openai', 'm'],
      )
      assert.equal(attributes['gen_ai.operation.name'], 'invoke_agent')
      assert.equal(attributes['gen_ai.agent.name'], 'Clerk')
      assert.equal(attributes['gen_ai.usage.input_tokens'], 20)

      const asked = named(spans, 'llm_call')
      assert.equal(asked.length, 2)
      for (const span of asked) {
        assert.equal(span.parent, root.id)
        assert.equal(span.trace, root.trace)
        assert.equal(span.kind, 3)
        assert.deepEqual(
          ['llm.model', 'llm.provider', 'llm.input_tokens', 'llm.output_tokens'].map(
            (n) => span.attributes[n],
          ),
          ['m', 'openai', 10, 5],
        )
        assert.deepEqual(
          [
            'gen_ai.operation.name',
            'gen_ai.provider.name',
            'gen_ai.request.model',
            'gen_ai.usage.output_tokens',
          ].map((n) => span.attributes[n]),
          ['chat', 'openai', 'm', 5],
        )
      }
      const called = only(spans, 'tool_call')
      assert.equal(called.parent, root.id)
      assert.deepEqual(
        ['tool.name', 'tool.protocol', 'tool.endpoint', 'gen_ai.operation.name'].map(
          (n) => called.attributes[n],
        ),
        ['look', 'function', '', 'execute_tool'],
      )
      assert.equal(collector.resource['service.name'], 'counter')
      const sent = JSON.stringify(spans)
      for (const said of ['a secret question', 'a private result', 'the answer'])
        assert.ok(!sent.includes(said), said)
    })
  }

  test('SPEC-J-01: the five metrics, with their labels', async (t) => {
    const collector = await httpCollector(t)
    const says: Says = ({ request }) =>
      request.messages.length === 1 ? calls(['c1', 'look', {}], ['c2', 'send', {}]) : 'done'
    await go(t, collector, says, {})
    const points = await collector.measured()
    const of = (name: string, labels: JsonObject = {}) =>
      points.filter(
        (point) =>
          point.name === name &&
          Object.entries(labels).every(([label, value]) => point.labels[label] === value),
      )
    assert.equal(of('aaif_agent_run_total', { status: 'success' })[0]?.value, 1)
    assert.equal(of('aaif_agent_run_duration_ms').length, 1)
    const model = { provider: 'openai', model: 'm' }
    assert.equal(of('aaif_agent_llm_tokens_total', { ...model, type: 'input' })[0]?.value, 20)
    assert.equal(of('aaif_agent_llm_tokens_total', { ...model, type: 'output' })[0]?.value, 10)
    assert.equal(of('aaif_agent_tool_calls_total', { tool_name: 'look', status: 'success' })[0]?.value, 1)
    assert.equal(of('aaif_agent_tool_calls_total', { tool_name: 'send', status: 'error' })[0]?.value, 1)
    assert.equal(of('aaif_agent_cost_usd_total').length, 0, 'a price that is not known is not 0')
  })

  test('SPEC-J-01: the cost of a model whose price is known; error and timeout as statuses', async (t) => {
    const collector = await httpCollector(t)
    const priced = agent('Clerk', { model: { provider: 'openai', preferred: 'gpt-4o-mini' } })
    await go(t, collector, () => 'ok', { definition: priced })
    const slow = agent('Clerk', { runtime: { timeout_seconds: 1 } })
    const stuck: Says = ({ signal }) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    assert.equal((await go(t, collector, stuck, { definition: slow })).result.stop_reason, 'timeout')
    await go(t, collector, fails)
    await collector.runs(3)
    const ended = () => collector.points.filter(({ name }) => name === 'aaif_agent_run_total')
    for (let i = 0; i < 100 && ended().length < 3; i++) await new Promise((r) => setTimeout(r, 20))
    const cost = collector.points.find(({ name }) => name === 'aaif_agent_cost_usd_total')
    assert.ok((cost?.value ?? 0) > 0)
    assert.deepEqual([cost?.labels.provider, cost?.labels.model], ['openai', 'gpt-4o-mini'])
    assert.deepEqual(
      ended()
        .map(({ labels }) => labels.status)
        .sort(),
      ['error', 'success', 'timeout'],
    )
  })

  test('a fallback: the failed attempt and the one that answered, each with its model', async (t) => {
    const collector = await httpCollector(t)
    const definition = agent('Clerk', {
      model: { provider: 'openai', preferred: 'a', fallbacks: [{ provider: 'openai', model: 'b' }] },
    })
    const says: Says = ({ request }) => {
      if (request.route.model === 'a')
        throw new ModelFailure('unavailable', 'MODEL_UNAVAILABLE', 'with a secret')
      return 'from b'
    }
    await go(t, collector, says, { definition })
    const spans = await collector.runs(1)
    assert.deepEqual(
      named(spans, 'llm_call').map(({ attributes, error }) => [
        attributes['llm.model'],
        error,
        attributes['error.type'],
      ]),
      [
        ['a', true, 'MODEL_UNAVAILABLE'],
        ['b', false, undefined],
      ],
    )
    assert.equal(only(spans, 'run').attributes['model.name'], 'b')
    assert.ok(!JSON.stringify(spans).includes('with a secret'))
  })

  test('a run that fails says why by its code, and so does the tool that failed', async (t) => {
    const collector = await httpCollector(t)
    const says: Says = ({ request }) => (request.messages.length === 1 ? calls(['c1', 'send', {}]) : fails())
    await go(t, collector, says)
    const spans = await collector.runs(1)
    const root = only(spans, 'run')
    assert.deepEqual([root.error, root.attributes['error.type']], [true, 'MODEL_ERROR'])
    const tool = only(spans, 'tool_call')
    assert.deepEqual([tool.error, tool.attributes['error.type']], [true, 'TOOL_THREW'])
    assert.ok(!JSON.stringify(spans).includes('out of stamps'))
  })

  test('AAIF-4.7-05: sub-agents three deep are one trace, each run below the call that started it', async (t) => {
    const collector = await httpCollector(t)
    const family = [
      agent('A', { orchestration: { subagents: [{ ref: './B.json', alias: 'b' }] } }),
      agent('B', {
        orchestration: {
          subagents: [{ ref: './C.json', alias: 'c' }],
          handoff: [{ condition: { lang: 'always' }, target_agent: 'c', pass_context: true }],
        },
      }),
      agent('C'),
    ]
    const says: Record<string, Says> = {
      A: ({ request }) =>
        request.messages.length === 1 ? calls(['c1', 'ask_b', { task: 'go' }]) : 'a is done',
      B: () => 'b hands over',
      C: () => 'c is done',
    }
    const { result } = await runFamily(t, family, says, {
      env: { ...KEY, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
    })
    assert.equal(result.status, 'completed', JSON.stringify(result.error))
    const spans = await collector.runs(3)
    const [a, b, c] = ['A', 'B', 'C'].map((name) =>
      named(spans, 'run').find((run) => run.attributes['agent.name'] === name),
    )
    const delegated = only(spans, 'tool_call')
    assert.deepEqual([delegated.attributes['tool.protocol'], delegated.parent], ['agent', a?.id])
    assert.equal(b?.parent, delegated.id)
    const handed = only(spans, 'handoff')
    assert.deepEqual(
      [handed.parent, handed.attributes.pass_context, handed.attributes['target_agent.id']],
      [b?.id, true, c?.attributes['agent.id']],
    )
    assert.equal(c?.parent, handed.id)
    assert.equal(new Set(spans.map(({ trace }) => trace)).size, 1)
  })

  test('AAIF-4.7-06: tracing false sends no span, metrics false no metric, and neither opens a connection', async (t) => {
    const collector = await httpCollector(t)
    const quiet = (telemetry: JsonObject) => ({ definition: agent('Clerk', { telemetry }) })
    await go(t, collector, () => 'x', quiet({ tracing: false, metrics: false }))
    await go(t, collector, () => 'x', quiet({ tracing: false }))
    await collector.measured()
    assert.deepEqual(collector.paths, ['/v1/metrics'])
    await go(t, collector, () => 'x', quiet({ metrics: false }))
    await collector.runs(1)
    assert.deepEqual(collector.paths, ['/v1/metrics', '/v1/traces'])
  })

  test('AAIF-3-05, SPEC-D-22: without a telemetry block a run is traced and measured', async (t) => {
    const collector = await httpCollector(t)
    await go(t, collector, () => 'x', { definition: agent('Clerk') })
    assert.equal((await collector.runs(1)).length, 2)
    assert.ok((await collector.measured()).length > 0)
  })

  test('the span of a run names the environment of its definition', async (t) => {
    const collector = await httpCollector(t)
    await go(t, collector, () => 'x', { definition: agent('Clerk', { runtime: { environment: 'staging' } }) })
    await go(t, collector, () => 'x', { definition: agent('Clerk') })
    const spans = await collector.runs(2)
    const environments = named(spans, 'run').map(
      ({ attributes }) => attributes['deployment.environment.name'],
    )
    assert.deepEqual(environments.sort(), ['staging', undefined])
  })

  test('a rehearsal sends nothing', async (t) => {
    const collector = await httpCollector(t)
    const definition = parseAgentDefinition(agent('Clerk'))
    await run(definition, { rehearse: true, env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } })
    await new Promise((resolve) => setTimeout(resolve, 100))
    assert.deepEqual(collector.paths, [])
  })
})

describe('AAIF §4.7 where it is sent', () => {
  const at = (endpoint: string) => agent('Clerk', { telemetry: { otlp_endpoint: endpoint } })

  test("AAIF-4.7-07, AAIF-12-02: a definition's collector needs a grant; without one the host's own is used", async (t) => {
    const [theirs, ours] = [await httpCollector(t), await httpCollector(t)]
    const { result } = await go(t, ours, () => 'x', { definition: at(theirs.url) })
    await ours.runs(1)
    assert.deepEqual(theirs.paths, [])
    const warning = result.warnings.find(({ message }) => message.includes('/agent/telemetry/otlp_endpoint'))
    assert.match(warning?.message ?? '', /allowHosts: \['127\.0\.0\.1:\d+'\]/)
    await go(t, ours, () => 'x', { definition: at(theirs.url), allowHosts: [new URL(theirs.url).host] })
    await theirs.runs(1)
    assert.equal(named(ours.spans, 'run').length, 1)
  })

  for (const [protocol, open] of [
    ['http/protobuf', httpCollector],
    ['grpc', grpcCollector],
  ] as const)
    test(`a secret header over ${protocol} is fetched for each request, and left out while it is not set`, async (t) => {
      const collector = await open(t)
      const { url } = collector
      const store = slowSecrets({ COLLECTOR_TOKEN: 'Bearer first' })
      const header = { authorization: 'COLLECTOR_TOKEN' }
      const traces = {
        url: protocol === 'grpc' ? url : `${url}/v1/traces`,
        headers: {},
        secretHeaders: header,
      }
      const grants = { hosts: [parseHostGrant('127.0.0.1')] }
      const sender = createOtlpSender({ name: url, protocol, traces, grants }, store.secrets)
      t.after(() => sender.close())
      for (const value of ['Bearer first', 'Bearer second', undefined]) {
        await store.set('COLLECTOR_TOKEN', value)
        await sender.send('traces', new Uint8Array(), 5000)
      }
      assert.deepEqual(
        collector.headers.map(({ authorization }) => authorization),
        ['Bearer first', 'Bearer second', undefined],
      )
    })

  test("the operator's headers go to the operator's collector, and to no other", async (t) => {
    const [theirs, ours] = [await httpCollector(t), await httpCollector(t)]
    const env = { COLLECTOR_TOKEN: 'Bearer zebra-quartz-71', OTEL_EXPORTER_OTLP_HEADERS: 'x-more=a%20b' }
    const telemetry = { otlpEndpoint: ours.url, headers: { authorization: 'COLLECTOR_TOKEN' } }
    await go(t, null, () => 'x', { env, telemetry })
    await ours.runs(1)
    assert.equal(ours.headers[0]?.authorization, 'Bearer zebra-quartz-71')
    await go(t, ours, () => 'x', { env, telemetry })
    await ours.runs(2)
    assert.equal(ours.headers.at(-1)?.['x-more'], 'a b')
    const allowHosts = [new URL(theirs.url).host]
    await go(t, ours, () => 'x', { env, telemetry, allowHosts, definition: at(theirs.url) })
    await theirs.runs(1)
    for (const headers of theirs.headers) {
      assert.equal(headers.authorization, undefined)
      assert.equal(headers['x-more'], undefined)
    }
  })

  for (const [protocol, open] of [
    ['http/protobuf', httpCollector],
    ['grpc', grpcCollector],
  ] as const) {
    test(`over TLS a collector is believed by ${protocol} when the operator names its authority`, {
      skip: noCertificates,
    }, async (t) => {
      const [collector, authority] = [await open(t), ownAuthority(t)]
      const front = await tlsFront(t, Number(new URL(collector.url).port), authority.certify('IP:127.0.0.1'))
      const telemetry = { otlpEndpoint: `https://127.0.0.1:${front.port}`, protocol }
      assert.match(await warningOf(t, { telemetry }), /TELEMETRY_UNSENT/)
      assert.equal(front.agreed, 0)
      await go(t, null, () => 'x', { telemetry, caFiles: [authority.file] })
      await collector.runs(1)
    })
  }

  test('AAIF-12-02: gRPC asks the gate too, for the address that a name leads to', async (t) => {
    const theirs = await grpcCollector(t)
    const { port } = new URL(theirs.url)
    const warned = await warningOf(t, {
      definition: at(`https://localhost.example:${port}`),
      allowHosts: ['localhost.example'],
      telemetry: { protocol: 'grpc' },
    })
    assert.match(warned, /TELEMETRY_UNSENT/)
    assert.deepEqual(theirs.paths, [])
  })

  for (const [what, endpoint] of [
    ['is gone', 'http://127.0.0.1:9'],
    ['is no collector', 'http://127.0.0.1:9/x'],
  ]) {
    test(`a collector that ${what} costs a run nothing but one warning`, async (t) => {
      const warning = await warningOf(t, { telemetry: { otlpEndpoint: endpoint ?? '' } })
      assert.match(
        warning,
        /TELEMETRY_UNSENT some telemetry did not reach the collector http:\/\/127\.0\.0\.1:9/,
      )
    })
  }

  test('a collector that never answers does not hold up the result', async (t) => {
    const { createServer } = await import('node:net')
    const server = createServer(() => {})
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    t.after(() => server.close())
    const { port } = server.address() as { port: number }
    const warnings: string[] = []
    const { result } = await go(t, null, () => 'x', {
      telemetry: { otlpEndpoint: `http://127.0.0.1:${port}` },
      onWarning: ({ code }) => warnings.push(code),
    })
    assert.equal(result.status, 'completed')
    // The collector is given up later: the result came before.
    assert.deepEqual(warnings, [])
  })

  test('SPEC-D-22: with log_level error the warning is not given', async (t) => {
    let warned = false
    const onWarning = () => {
      warned = true
    }
    const definition = agent('Clerk', { telemetry: { log_level: 'error' } })
    await go(t, null, () => 'x', { definition, telemetry: { otlpEndpoint: 'http://127.0.0.1:9' }, onWarning })
    await new Promise((resolve) => setTimeout(resolve, 700))
    assert.equal(warned, false)
  })
})

function warningOf(t: TestContext, options: Partial<RunOptions> & JsonOf): Promise<string> {
  return new Promise((resolve, reject) => {
    const onWarning = ({ code, message }: { code: string; message: string }) => resolve(`${code} ${message}`)
    go(t, null, () => 'x', { ...options, onWarning }).catch(reject)
  })
}
