import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { DEFINITION, MailModel, Place, waybill } from '../cli/fixture.ts'
import { httpCollector } from './collector.ts'

const model = new MailModel()
before(() => model.begin())
after(() => model.server.stop())
beforeEach(() => model.script())

const GO = ['run', 'agent.json', '--tools', 'tools.mjs', '--input', 'Go']

describe('waybill run --trace', () => {
  test('draws the spans below one another on standard error and leaves the result as it is', async (t) => {
    const place = new Place(t)
    const said = await waybill(place, [
      'run',
      'agent.json',
      '--rehearse',
      '--input',
      'Go',
      '--json',
      '--trace',
    ])
    assert.equal(JSON.parse(said.out).status, 'completed')
    const lines = said.err.split('\n')
    const at = lines.findIndex((line) => /^trace [0-9a-f]{32}$/.test(line))
    assert.ok(at >= 0, said.err)
    assert.match(lines[at + 1] ?? '', /^run Clerk +[\d.]+ m?s █+$/)
    assert.match(lines[at + 2] ?? '', /^├ model custom\/x +[\d.]+ m?s +█+ +\d+ tokens$/)
    assert.match(lines[at + 3] ?? '', /^├ tool send_mail +[\d.]+ m?s +█+$/)
    assert.match(lines[at + 4] ?? '', /^└ model custom\/x +[\d.]+ m?s +█+ +\d+ tokens$/)
    assert.ok(!said.err.includes('\x1b['))
  })

  test('waybill runs show --trace draws it again from the record, and gives it as data', async (t) => {
    const place = new Place(t)
    const { err } = await waybill(place, ['run', 'agent.json', '--rehearse', '--input', 'Go', '--trace'])
    const [id = ''] = await place.runIds()
    const shown = await waybill(place, ['runs', 'show', id, '--trace'])
    assert.ok(err.includes(shown.out), `${shown.out}\nin\n${err}`)
    const { spans } = JSON.parse((await waybill(place, ['runs', 'show', id, '--trace', '--json'])).out)
    assert.deepEqual(
      spans.map(({ name }: { name: string }) => name),
      ['aaif.agent.llm_call', 'aaif.agent.tool_call', 'aaif.agent.llm_call', 'aaif.agent.run'],
    )
  })

  test('sub-agents are drawn below the call that started them', async (t) => {
    const place = new Place(t, {
      ...DEFINITION,
      agent: {
        ...DEFINITION.agent,
        tools: [],
        orchestration: { pipeline: ['sub'], subagents: [{ ref: './sub.json', alias: 'sub' }] },
      },
    })
    place.write(
      'sub.json',
      JSON.stringify({ sc_standard: 'SC-006', agent: { ...DEFINITION.agent, name: 'Sub' } }),
    )
    const { err } = await waybill(place, ['run', 'agent.json', '--rehearse', '--input', 'Go', '--trace'])
    assert.match(
      err,
      /run Clerk .*\n└ agent sub .*\n {2}└ run Sub .*\n {4}├ model .*\n {4}├ tool send_mail .*\n {4}└ model /,
    )
  })

  test('AAIF-4.7-06: an agent that asks not to be traced is not', async (t) => {
    const place = new Place(t, {
      ...DEFINITION,
      agent: { ...DEFINITION.agent, telemetry: { tracing: false } },
    })
    const { err } = await waybill(place, ['run', 'agent.json', '--rehearse', '--input', 'Go', '--trace'])
    assert.match(err, /Clerk is not traced/)
    assert.doesNotMatch(err, /^trace /m)
    const [id = ''] = await place.runIds()
    const { out } = await waybill(place, ['runs', 'show', id, '--trace', '--json'])
    assert.deepEqual(JSON.parse(out).spans, [])
  })

  test('a run that waits is drawn as far as it is, and a failure in its own words', async (t) => {
    const place = new Place(t)
    const waiting = await waybill(place, [...GO, ...model.flags, '--trace'])
    assert.equal(waiting.code, 4)
    assert.match(waiting.err, /^run Clerk +[\d.]+ m?s… ▒+$/m)
    model.server.clearFixtures()
    model.server.addFixture({ match: {}, response: { error: { message: 'no', type: 'x' }, status: 401 } })
    const failed = await waybill(place, [...GO, ...model.flags, '--trace'])
    assert.equal(failed.code, 3)
    assert.match(failed.err, /^└ model custom\/x +[\d.]+ m?s +█+ +✗ MODEL_\w+$/m)
  })
})

describe('the trace of a run that is resumed in another process', () => {
  test('AAIF-4.7-01: spans of both processes are one trace below one run span', async (t) => {
    const collector = await httpCollector(t)
    const place = new Place(t)
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }
    assert.equal((await waybill(place, [...GO, ...model.flags], { env })).code, 4)
    assert.deepEqual(
      collector.spans.map(({ name }) => name),
      ['aaif.agent.llm_call'],
    )
    const [id = ''] = await place.runIds()
    assert.equal((await waybill(place, ['approvals', 'approve', id])).code, 0)
    const resumed = await waybill(place, ['resume', id], { env })
    assert.equal(resumed.code, 0, resumed.err)
    const spans = await collector.runs(1)
    assert.deepEqual(
      spans.map(({ name }) => name),
      ['aaif.agent.llm_call', 'aaif.agent.tool_call', 'aaif.agent.llm_call', 'aaif.agent.run'],
    )
    const root = spans.at(-1)
    assert.equal(new Set(spans.map(({ trace }) => trace)).size, 1)
    for (const span of spans.slice(0, -1)) assert.equal(span.parent, root?.id)
  })

  test('--trace-parent and $TRACEPARENT put a run into a trace; what cannot be read is refused, or left', async (t) => {
    const place = new Place(t)
    const parent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
    const traceOf = async (argv: readonly string[], env: Record<string, string> = {}) => {
      const { err } = await waybill(place, ['run', 'agent.json', '--rehearse', '--trace', ...argv], { env })
      return /^trace (\w+)$/m.exec(err)?.[1]
    }
    assert.equal(await traceOf(['--trace-parent', parent]), 'a'.repeat(32))
    assert.equal(await traceOf([], { TRACEPARENT: parent }), 'a'.repeat(32))
    assert.match((await traceOf([], { TRACEPARENT: 'nonsense' })) ?? '', /^[0-9a-f]{32}$/)
    const wrong = await waybill(place, [
      'run',
      'agent.json',
      '--rehearse',
      '--trace-parent',
      'nonsense',
      '--json',
    ])
    assert.equal(wrong.code, 2)
    assert.equal(JSON.parse(wrong.out).error.code, 'TRACE_PARENT_INVALID')
  })

  test('--trace-state and $TRACESTATE go with their traceparent, into each run of a batch as well', async (t) => {
    const place = new Place(t)
    const parent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
    const startOf = async (argv: readonly string[], env: Record<string, string> = {}) => {
      const run = ['run', 'agent.json', '--rehearse', '--json', ...argv]
      const { code, out } = await waybill(place, run, { env, stdin: '"x"\n' })
      const said = JSON.parse(out)
      if (code === 2) return said.error.code
      const id = said.run_id ?? said.results[0].run_id
      const { out: events } = await waybill(place, ['runs', 'events', id])
      const { trace_parent = null, trace_state = null } = JSON.parse(events.split('\n')[0] ?? '')
      return [trace_parent, trace_state]
    }
    const given = { TRACEPARENT: parent, TRACESTATE: 'congo=1' }
    assert.deepEqual(await startOf([], given), [parent, 'congo=1'])
    assert.deepEqual(await startOf(['--batch', '-'], given), [parent, 'congo=1'])
    assert.deepEqual(await startOf(['--trace-parent', parent, '--trace-state', 'a=b']), [parent, 'a=b'])
    assert.deepEqual(await startOf(['--trace-parent', parent], { TRACESTATE: 'congo=1' }), [parent, null])
    assert.deepEqual(await startOf([], { ...given, TRACESTATE: 'Congo' }), [parent, null])
    assert.deepEqual(await startOf([], { TRACESTATE: 'congo=1' }), [null, null])
    assert.equal(await startOf(['--trace-state', 'a=b']), 'TRACE_STATE_INVALID')
    assert.equal(await startOf(['--trace-parent', parent, '--trace-state', 'a']), 'TRACE_STATE_INVALID')
  })

  test('a dead collector is one line on standard error', async (t) => {
    const place = new Place(t)
    model.script({ calls: false })
    const env = {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
      OTEL_EXPORTER_OTLP_HEADERS: 'k=zebra-quartz-71',
    }
    const { code, err, out } = await waybill(place, [...GO, ...model.flags, '--json'], { env })
    assert.equal(code, 0)
    assert.equal(JSON.parse(out).status, 'completed')
    assert.equal(err.match(/TELEMETRY_UNSENT/g)?.length, 1)
    assert.doesNotMatch(err, /zebra/)
  })

  test('the configuration names the collector, and the secrets for its headers', async (t) => {
    const collector = await httpCollector(t)
    const place = new Place(t)
    model.script({ calls: false })
    const config = { telemetry: { otlp_endpoint: collector.url, headers: { 'X-Key': 'COLLECTOR_KEY' } } }
    place.write('config.json', JSON.stringify(config))
    const env = { COLLECTOR_KEY: 'zebra-quartz-71' }
    await waybill(place, [...GO, ...model.flags, '--config', 'config.json'], { env })
    await collector.runs(1)
    assert.equal(collector.headers[0]?.['x-key'], 'zebra-quartz-71')
    assert.doesNotMatch(place.homeText(), /zebra-quartz-71/)
    place.write('waybill.yaml', 'deny_secrets: [COLLECTOR_KEY]\n')
    await waybill(place, [...GO, ...model.flags, '--config', 'config.json'], { env })
    await collector.runs(2)
    assert.equal(collector.headers.at(-1)?.['x-key'], undefined)
  })
})
