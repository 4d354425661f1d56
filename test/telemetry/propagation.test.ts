import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import { parseAgentDefinition, run } from 'waybill'
import type { Json, JsonObject } from '../../src/document/json.ts'
import { parseTraceParent } from '../../src/run/trace/trace-context.ts'
import { parseTraceState } from '../../src/run/trace/trace-state.ts'
import { scripted } from '../adapters/mcp/opening.ts'
import { completion, json, rawServer } from '../adapters/model-fixture.ts'
import { agent, calls, folderOf, runFamily, type Says } from '../run/family.ts'
import { httpCollector } from './collector.ts'

const STATE = 'congo=t61rcWkgMzE,rojo=00f067aa0ba902b7'
const CALLER = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'

/** A tool server that keeps the headers of its requests. */
async function toolServer(t: TestContext) {
  const seen: IncomingHttpHeaders[] = []
  const server = createServer((request, response) => {
    seen.push(request.headers)
    request.resume()
    response.setHeader('content-type', 'application/json').end('{"ok":true}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => server.close())
  t.after(() => server.closeAllConnections())
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { host, seen, url: `http://${host}/look?key=hidden` }
}

/** A model that calls `look` once and then answers, and keeps the headers of its requests. */
async function modelServer(t: TestContext) {
  const server = await rawServer(t, (response, { body }) => {
    const messages = (body as unknown as { messages: { role: string }[] }).messages
    const look = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }
    const done = messages.at(-1)?.role === 'tool'
    json(response, completion(done ? { content: 'done' } : { content: null, tool_calls: [look] }))
  })
  return {
    url: `${server.url}/v1`,
    host: new URL(server.url).host,
    get seen() {
      return server.seen.map(({ headers }) => headers)
    },
  }
}

const CALLS_ONCE: Says = ({ request }) => (request.messages.length === 1 ? calls(['c1', 'look', {}]) : 'done')

function caller(name: string, endpoint: string, members: JsonObject = {}): JsonObject {
  return agent(name, {
    tools: [{ name: 'look', description: 'Looks.', protocol: 'http', endpoint }],
    ...members,
  })
}

async function called(t: TestContext, telemetry: JsonObject, traceParent?: string, traceState?: string) {
  const [tools, collector] = [await toolServer(t), await httpCollector(t)]
  const definition = caller('Clerk', tools.url, { telemetry })
  const { result } = await runFamily(
    t,
    [definition],
    { Clerk: CALLS_ONCE },
    {
      allowHosts: [tools.host],
      env: { OPENAI_API_KEY: 'x', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
      ...(traceParent !== undefined && { traceParent }),
      ...(traceState !== undefined && { traceState }),
    },
  )
  assert.equal(result.status, 'completed')
  return { headers: tools.seen[0] ?? {}, collector, tools }
}

describe('AAIF §4.7 trace context', () => {
  test('AAIF-4.7-08, AAIF-4.7-02: a tool server receives the span id of the call', async (t) => {
    const { headers, collector, tools } = await called(t, {})
    const spans = await collector.runs(1)
    const span = spans.find(({ name }) => name === 'aaif.agent.tool_call')
    assert.equal(headers.traceparent, `00-${span?.trace}-${span?.id}-01`)
    assert.deepEqual(
      ['tool.protocol', 'tool.endpoint'].map((name) => span?.attributes[name]),
      ['http', `http://${tools.host}/look`],
      'what stands in the query stays there',
    )
  })

  test('AAIF-4.7-08: the header has the name that the definition gives it', async (t) => {
    const { headers } = await called(t, { trace_context_header: 'X-Acme-Trace' })
    assert.match(String(headers['x-acme-trace']), /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
    assert.equal(headers.traceparent, undefined)
  })

  for (const name of ['authorization', 'Content-Length', 'Host', 'a b', 'tracestate', 'X-API-Key']) {
    test(`AAIF-4.7-08: "${name}" is no header for it, which the plan says`, async (t) => {
      const { headers, tools } = await called(t, { trace_context_header: name })
      assert.match(String(headers.traceparent), /^00-/)
      assert.equal(headers.host, tools.host)
      assert.equal(headers.authorization, undefined)
    })
  }

  test('AAIF-4.7-08: a run that is called within a trace continues it', async (t) => {
    const { headers, collector } = await called(t, {}, CALLER)
    const spans = await collector.runs(1)
    const root = spans.find(({ name }) => name === 'aaif.agent.run')
    assert.deepEqual([root?.trace, root?.parent], ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'])
    assert.match(String(headers.traceparent), /^00-4bf92f3577b34da6a3ce929d0e0e4736-[0-9a-f]{16}-01$/)
  })

  test('that a trace id was made at random is handed on', async (t) => {
    const { headers } = await called(t, {}, CALLER.replace(/01$/, '03'))
    assert.match(String(headers.traceparent), /-03$/)
  })

  test('a caller that does not keep its trace makes ours not be kept either', async (t) => {
    const { headers, collector } = await called(t, {}, CALLER.replace(/01$/, '00'))
    assert.match(String(headers.traceparent), /-00$/)
    await collector.measured()
    assert.equal(collector.spans.length, 0)
  })

  test('AAIF-4.7-06, AAIF-4.7-08: an agent that is not traced hands on what it was given, or that nothing is kept', async (t) => {
    const passed = await called(t, { tracing: false }, CALLER)
    assert.equal(passed.headers.traceparent, CALLER)
    const own = await called(t, { tracing: false })
    assert.match(String(own.headers.traceparent), /^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/)
  })

  test('AAIF-4.7-08: the tool of a sub-agent is in the trace of the agent that was asked', async (t) => {
    const [tools, collector] = [await toolServer(t), await httpCollector(t)]
    const root = agent('A', {
      orchestration: { pipeline: ['b'], subagents: [{ ref: './B.json', alias: 'b' }] },
    })
    await runFamily(
      t,
      [root, caller('B', tools.url)],
      { B: CALLS_ONCE },
      {
        allowHosts: [tools.host],
        env: { OPENAI_API_KEY: 'x', OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
      },
    )
    const spans = await collector.runs(2)
    const [asked] = spans.filter(({ attributes }) => attributes['agent.name'] === 'A')
    const step = spans.find(({ name }) => name === 'aaif.agent.handoff')
    assert.equal(step?.parent, asked?.id)
    assert.equal(spans.find(({ attributes }) => attributes['agent.name'] === 'B')?.parent, step?.id)
    const call = spans.find(({ name }) => name === 'aaif.agent.tool_call')
    assert.equal(tools.seen[0]?.traceparent, `00-${asked?.trace}-${call?.id}-01`)
  })

  test('AAIF-4.7-08: the tracestate of the caller goes along to HTTP tools, sub-agents and their tools, and MCP servers; models learn the ids alone', async (t) => {
    const [tools, office, models] = [
      await toolServer(t),
      scripted(t, { meta: true, tools: [{ name: 'look', inputSchema: { type: 'object' } }] }),
      await modelServer(t),
    ]
    const lead = agent('A', {
      model: { provider: 'custom', provider_id: 'local', preferred: 'm', base_url: models.url },
      orchestration: {
        pipeline: ['b', 'c'],
        subagents: ['b', 'c'].map((x) => ({ ref: `./${x}.json`, alias: x })),
      },
    })
    const model = (lead.agent as JsonObject).model as Json
    const mcp = { name: 'look', description: 'Looks.', protocol: 'mcp', endpoint: 'mcp://office/look' }
    const folder = folderOf(t, [caller('b', tools.url, { model }), agent('c', { model, tools: [mcp] })])
    await run(parseAgentDefinition(lead), {
      input: 'go',
      folder,
      env: { PATH: process.env.PATH },
      allowHosts: [tools.host, models.host],
      mcpServers: { office: office.server },
      traceParent: CALLER,
      traceState: STATE,
    })
    assert.equal(models.seen.length, 4)
    const trace = /^00-4bf92f3577b34da6a3ce929d0e0e4736-[0-9a-f]{16}-01$/
    const [, said = ''] = /^meta (.*)$/m.exec(office.log().join('\n')) ?? []
    const meta = JSON.parse(said)
    for (const headers of [tools.seen[0] ?? {}, meta, ...models.seen]) {
      assert.match(String(headers.traceparent), trace)
      assert.equal(headers.tracestate, models.seen.includes(headers as never) ? undefined : STATE)
    }
    const spans = models.seen.map(({ traceparent }) => String(traceparent))
    assert.equal(new Set(spans).size, 4, 'each question is a span of its own')
  })

  test('AAIF-4.7-08: an agent that is not traced hands on the tracestate as it was given', async (t) => {
    const { headers } = await called(t, { tracing: false }, CALLER, STATE)
    assert.deepEqual([headers.traceparent, headers.tracestate], [CALLER, STATE])
  })

  test('a malformed tracestate is dropped, and one whose traceparent is malformed as well', async (t) => {
    const dropped = await called(t, {}, CALLER, 'not a state')
    assert.match(String(dropped.headers.traceparent), /^00-4bf92f3577b34da6a3ce929d0e0e4736-/)
    assert.equal(dropped.headers.tracestate, undefined)
    const alone = await called(t, { tracing: false }, 'x\r\ny', STATE)
    assert.match(String(alone.headers.traceparent), /^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/)
    assert.equal(alone.headers.tracestate, undefined)
  })

  test('AAIF-4.7-08: a function is given the header, for what it calls itself', async (t) => {
    let given: Readonly<Record<string, string>> = {}
    const definition = agent('Clerk', { tools: [{ name: 'look', description: 'Looks.' }] })
    const look = async (_: never, { headers }: { readonly headers: Readonly<Record<string, string>> }) => {
      given = headers
      return 1
    }
    await runFamily(t, [definition], { Clerk: CALLS_ONCE }, { tools: { look } })
    assert.match(String(given.traceparent), /^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/)
  })
})

describe('W3C traceparent', () => {
  test('is read as the standard has it', () => {
    assert.deepEqual(parseTraceParent(CALLER), {
      trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
      parent_id: '00f067aa0ba902b7',
      sampled: true,
    })
    assert.equal(parseTraceParent(CALLER.replace(/01$/, '02'))?.sampled, false)
    assert.notEqual(parseTraceParent(`${CALLER.replace(/^00/, '01')}-more`), null)
    for (const wrong of [
      '',
      CALLER.toUpperCase(),
      `${CALLER}-more`,
      CALLER.replace(/^00/, 'ff'),
      CALLER.replace(/-4bf.*?-/, `-${'0'.repeat(32)}-`),
      CALLER.replace(/-00f067aa0ba902b7-/, `-${'0'.repeat(16)}-`),
      `${CALLER}\n`,
    ])
      assert.equal(parseTraceParent(wrong), null, wrong)
  })
})

describe('W3C tracestate', () => {
  const member = (n: number, length: number) => `k${n}=`.padEnd(length, 'v')

  test('is handed on as it is, in its order, without empty members', () => {
    assert.equal(parseTraceState(STATE), STATE)
    assert.equal(parseTraceState(' congo=a b \t,, tenant@sys=~!"#$ ,'), 'congo=a b,tenant@sys=~!"#$')
    const longKey = `a${'b'.repeat(255)}=v`
    assert.equal(parseTraceState(longKey), longKey)
  })

  for (const [what, text] of [
    ['a key in capitals', 'Congo=1'],
    ['a key that begins with a digit', '1congo=1'],
    ['a key that is too long', `a${'b'.repeat(256)}=1`],
    ['a system of more than 14 characters', 'tenant@abcdefghijklmno=1'],
    ['no equals sign', 'congo'],
    ['no value', 'congo='],
    ['a value with an equals sign', 'congo=a=b'],
    ['a value of more than 256 characters', `congo=${'v'.repeat(257)}`],
    ['a value that is no ASCII', 'congo=\u00e9'],
    ['a line break', 'congo=a\r\nx-evil: 1'],
    ['a key that is there twice', 'congo=1,rojo=2,congo=3'],
    ['more than 32 members', Array.from({ length: 33 }, (_, n) => `k${n}=v`).join(',')],
    ['nothing in it', ' , '],
  ] as const) {
    test(`with ${what} is malformed as a whole`, () => assert.equal(parseTraceState(text), null))
  }

  test('is shortened to 512 characters: large members go first, then those at the end, and never a part of one', () => {
    const fits = [1, 2, 3, 4].map((n) => member(n, 127)).join(',')
    assert.equal(fits.length, 511)
    assert.equal(parseTraceState(fits), fits)
    assert.equal(parseTraceState(`${member(9, 129)},${fits}`), fits)
    assert.equal(parseTraceState(`${fits},a=b`), fits)
    const large = [member(1, 200), member(2, 200), member(3, 200)]
    assert.equal(parseTraceState(large.join(',')), large.slice(0, 2).join(','))
  })
})
