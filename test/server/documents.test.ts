import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { OWN_REPORT } from '../../src/cli/conformance/generated/own-report.ts'
import { manifestOf } from '../../src/cli/manifest/manifest-command.ts'
import { asJson, isObject, type Json, valueAt } from '../../src/document/json.ts'
import { RunMetrics } from '../../src/server/run-metrics.ts'
import { judgeFile } from '../../src/spec/judge-file.ts'
import { serveFake } from './served.ts'

describe('documents about the server', () => {
  test('AAIF-7-11: the manifest is served, valid, and of the actual configuration', async (t) => {
    const { send } = await serveFake(t, {
      publicUrl: 'https://agents.ours.example',
      manifest: async () => asJson(await manifestOf({ residency: { openai: ['eu-west-1'] } })),
    })
    const answer = await send('GET', '/.well-known/aaif-manifest.json')
    assert.equal(answer.status, 200)
    assert.match(String(answer.headers['content-type']), /^application\/json/)
    const { kind, issues } = judgeFile(answer.bytes, { file: 'aaif-manifest.json' })
    assert.equal(kind, 'aaif.manifest')
    assert.deepEqual(
      issues.filter(({ severity }) => severity === 'error'),
      [],
    )
    assert.match(answer.text, /eu-west-1/)
  })

  test('AAIF-7-12: the manifest states capabilities, level, versions and where definitions are accepted', async (t) => {
    const { send } = await serveFake(t, {
      publicUrl: 'https://agents.ours.example',
      manifest: async () => asJson(await manifestOf({})),
    })
    const { sc_version, platform } = (await send('GET', '/.well-known/aaif-manifest.json')).json
    assert.ok(Object.keys(platform.capabilities).length > 3)
    assert.equal(platform.aaif_conformance_level, 'Portable')
    assert.ok(typeof sc_version === 'string' && platform.aaif_versions_supported.includes(sc_version))
    assert.equal(platform.intake_endpoint.url, 'https://agents.ours.example/v1/agents')
    assert.equal(platform.intake_endpoint.method, 'POST')
    assert.equal(platform.intake_endpoint.auth_scheme, 'bearer')
  })

  test('AAIF-6-14: the conformance report is served as it was made for this version', async (t) => {
    const { send } = await serveFake(t, { conformance: asJson(OWN_REPORT) })
    const answer = await send('GET', '/.well-known/aaif-conformance.json')
    assert.equal(answer.status, 200, answer.text)
    const { kind, issues } = judgeFile(answer.bytes, { file: 'aaif-conformance.json' })
    assert.equal(kind, 'aaif.conformance-report')
    assert.deepEqual(
      issues.filter(({ severity }) => severity === 'error'),
      [],
    )
    assert.deepEqual(answer.json, OWN_REPORT)
  })

  test('the OpenAPI document has valid schemas, references that exist, and unique operations', async (t) => {
    const { send } = await serveFake(t)
    const document = (await send('GET', '/openapi.json')).json as Json
    assert.equal(valueAt(document, '/openapi'), '3.1.0')
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, formats: { 'date-time': true } })
    const ids: Json[] = []
    let schemas = 0
    const walk = (value: Json, name: string): void => {
      if (Array.isArray(value)) for (const item of value) walk(item, name)
      else if (isObject(value)) {
        if (typeof value.$ref === 'string') assert.ok(valueAt(document, value.$ref.slice(1)), value.$ref)
        if (value.operationId !== undefined) ids.push(value.operationId)
        if (name === 'schema') {
          schemas++
          assert.ok(ajv.validateSchema(value), JSON.stringify(ajv.errors))
        }
        for (const [member, inner] of Object.entries(value)) walk(inner, member)
      }
    }
    walk(document, '')
    for (const schema of Object.values(valueAt(document, '/components/schemas') as Record<string, Json>))
      assert.ok(ajv.validateSchema(schema as object), JSON.stringify(ajv.errors))
    assert.equal(new Set(ids).size, ids.length)
    assert.ok(ids.length > 35 && schemas > 100, `${ids.length} operations, ${schemas} schemas`)
  })

  test('every parameter in a path is described', async (t) => {
    const { send } = await serveFake(t)
    const { paths } = (await send('GET', '/openapi.json')).json
    for (const [path, operations] of Object.entries(
      paths as Record<string, Record<string, { parameters: { name: string; in: string }[] }>>,
    )) {
      const wanted = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      for (const { parameters } of Object.values(operations))
        assert.deepEqual(
          parameters.filter((entry) => entry.in === 'path').map(({ name }) => name),
          wanted,
        )
    }
  })
})

describe('/metrics', () => {
  test('has the metrics of runs and of the platform, in the text format of Prometheus', async (t) => {
    const runMetrics = new RunMetrics()
    const { send, token } = await serveFake(t, { runMetrics })
    const labels = { agent_id: 'a"b\\c\nd' }
    for (const value of [90, 400, 9_999_999])
      runMetrics.record({ name: 'aaif_agent_run_duration_ms', value, labels })
    for (const status of ['success', 'success', 'error'])
      runMetrics.record({ name: 'aaif_agent_run_total', value: 1, labels: { agent_id: 'x', status } })
    runMetrics.record({ name: 'aaif_agent_cost_usd_total', value: 0.25, labels: {} })
    const answer = await send('GET', '/metrics', { token })
    assert.match(String(answer.headers['content-type']), /^text\/plain; version=0\.0\.4/)
    for (const line of [
      '# TYPE aaif_agent_run_duration_ms histogram',
      'aaif_agent_run_duration_ms_bucket{agent_id="a\\"b\\\\c\\nd",le="100"} 1',
      'aaif_agent_run_duration_ms_bucket{agent_id="a\\"b\\\\c\\nd",le="500"} 2',
      'aaif_agent_run_duration_ms_bucket{agent_id="a\\"b\\\\c\\nd",le="+Inf"} 3',
      'aaif_agent_run_duration_ms_count{agent_id="a\\"b\\\\c\\nd"} 3',
      '# TYPE aaif_agent_run_total counter',
      'aaif_agent_run_total{agent_id="x",status="success"} 2',
      'aaif_agent_run_total{agent_id="x",status="error"} 1',
      'aaif_agent_cost_usd_total 0.25',
      'waybill_runs{phase="parked"} 3',
      'waybill_workers 2',
      'waybill_oldest_due_seconds 0.5',
    ])
      assert.ok(answer.text.split('\n').includes(line), `${line}\n${answer.text}`)
    for (const line of answer.text.trimEnd().split('\n'))
      assert.match(
        line,
        /^(?:# (?:HELP|TYPE) \w+ .+|\w+(?:\{\w+="(?:[^"\\]|\\.)*"(?:,\w+="(?:[^"\\]|\\.)*")*\})? -?[\d.e+-]+)$/,
      )
  })

  test('needs a token unless it is public', async (t) => {
    assert.equal((await (await serveFake(t)).send('GET', '/metrics')).status, 401)
    assert.equal((await (await serveFake(t, { publicMetrics: true })).send('GET', '/metrics')).status, 200)
  })
})
