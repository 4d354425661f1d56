import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parseAgentDefinition, planRun, run } from 'waybill'
import type { Json, JsonObject } from '../../src/document/json.ts'
import { hostManifest } from '../../src/plan/host-manifest.ts'
import { validatePlatformManifest } from '../../src/spec/aaif/validate-platform-manifest.ts'
import { rawServer } from '../adapters/model-fixture.ts'
import { agent, calls, runFamily } from './family.ts'
import { ENV } from './fixture.ts'

describe('AAIF §6 duties of a consumer at the advertised levels', () => {
  test('AAIF-6-11: Core: an invalid definition is refused, with its place, before any model is asked', () => {
    const { goal: _goal, ...unfinished } = agent('Clerk').agent as JsonObject
    const twice = [1, 2].map(() => ({ name: 'look', description: 'Looks.' }))
    for (const [wrong, at] of [
      [{ ...agent('Clerk'), agent: unfinished }, '/agent'],
      [agent('Clerk', { tools: twice }), '/agent/tools/1/name'],
      [agent('Clerk', { orchestration: { pipeline: ['nobody'] } }), '/agent/orchestration/pipeline/0'],
    ] as const) {
      assert.throws(
        () => parseAgentDefinition(wrong),
        (error: Error) => JSON.stringify(error).includes(`"${at}`) || error.message.includes(at),
      )
    }
  })

  test('AAIF-6-11: Tooled: models get each granted tool with its own schema, and no denied tool', async (t) => {
    const schema = {
      type: 'object',
      properties: { id: { type: 'string', pattern: '^P-' } },
      required: ['id'],
    }
    const look = { name: 'look', description: 'Looks.', parameters_schema: schema }
    const away = { ...look, name: 'away', protocol: 'http', endpoint: 'https://elsewhere.example/x' }
    const models = await rawServer(t, (response) => response.writeHead(400).end())
    const base_url = `${models.url}/v1`
    const definition = agent('Clerk', {
      model: { provider: 'custom', provider_id: 'x', preferred: 'm', base_url },
      tools: [look, away],
    })
    const result = await run(parseAgentDefinition(definition), {
      tools: { look: async () => 1 },
      allowHosts: [new URL(models.url).host],
      env: {},
    })
    assert.equal(result.status, 'failed')
    const shown = (models.seen[0]?.body.tools ?? []) as unknown as {
      function: { name: string; parameters: object }
    }[]
    assert.deepEqual(
      shown.map(({ function: { name, parameters } }) => [name, parameters]),
      [['look', schema]],
    )
  })

  test('AAIF-6-11: Portable: constraints are in the prompt and enforced on answers, and an endpoint is not used until it is granted', async (t) => {
    const tools = await rawServer(t, (response) => response.end('{}'))
    const endpoint = `${tools.url}/send`
    const clerk = agent('Clerk', {
      constraints: ['Never mention "Falcon".'],
      tools: [{ name: 'send', description: 'Sends.', protocol: 'http', endpoint }],
    })
    const { result, requests } = await runFamily(t, [clerk], {
      Clerk: ({ request }) =>
        request.messages.length === 1 ? calls(['c1', 'send', {}]) : 'We call it Falcon.',
    })
    assert.match(requests[0]?.plan.system_prompt ?? '', /Never mention "Falcon"/)
    assert.doesNotMatch(JSON.stringify(result.output ?? ''), /Falcon/)
    assert.equal(tools.seen.length, 0)
    const plan = await planRun(parseAgentDefinition(clerk), { env: ENV })
    assert.deepEqual([plan.tools[0]?.gate, plan.tools[0]?.rule], ['deny', 'AAIF-12-01'])
  })

  test('AAIF-6-11: Multi-agent: the declared topology runs, and its conditions have the same result each time', async (t) => {
    const when = (lang: string, expr: string | JsonObject) => ({ lang, expr })
    const subagents = [
      { ref: './Parcels.json', alias: 'parcels', when: when('jsonpath', '$[?@.kind == "parcel"]') },
      { ref: './Letters.json', alias: 'letters', when: when('cel', 'input.kind == "letter"') },
      {
        ref: './Stamps.json',
        alias: 'stamps',
        when: when('jsonlogic', { '==': [{ var: 'kind' }, 'stamp'] }),
      },
    ]
    const desk = agent('Desk', {
      orchestration: { role: 'router', subagents },
      io: { input_schema: { type: 'object' } },
    })
    const team = [desk, ...['Parcels', 'Letters', 'Stamps'].map((name) => agent(name))]
    const says = { Parcels: () => 'p', Letters: () => 'l', Stamps: () => 's' }
    for (let round = 0; round < 3; round++) {
      for (const [kind, name] of [
        ['parcel', 'Parcels'],
        ['letter', 'Letters'],
        ['stamp', 'Stamps'],
      ] as const) {
        const { asked } = await runFamily(t, team, says, { input: { kind } })
        assert.deepEqual(asked, [name])
      }
    }
  })
})

test('AAIF-7-03: the manifest of this host is valid and advertises only levels whose duties are proved', () => {
  const manifest = hostManifest('1.0.0', '2026-01-01T00:00:00Z')
  assert.equal(manifest.platform.aaif_conformance_level, 'Portable')
  assert.equal(manifest.platform.capabilities?.orchestration?.dynamic_routing, true)
  assert.deepEqual(manifest.platform.capabilities?.telemetry, {
    otel_traces: true,
    otel_metrics: true,
    otlp_export: true,
  })
  assert.deepEqual(validatePlatformManifest(manifest as unknown as Json), [])
})
