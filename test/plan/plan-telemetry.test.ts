import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { JsonObject } from '../../src/document/json.ts'
import { planTelemetry } from '../../src/plan/plan-telemetry.ts'
import { type HostGrant, parseHostGrant } from '../../src/policy/endpoint-gate.ts'
import { definition, SETTINGS } from '../run/fixture.ts'

describe('AAIF §4.7 what a run reports', () => {
  const of = (agent: JsonObject, hosts: readonly HostGrant[] = []) =>
    planTelemetry(definition(agent), { ...SETTINGS, grants: { hosts } })
  const DEFAULTS = {
    tracing: true,
    metrics: true,
    log_level: 'info',
    trace_context_header: 'traceparent',
  }

  test('without the member tracing, metrics and info are in force', () => {
    assert.deepEqual(of({}), { telemetry: DEFAULTS, degradations: [] })
  })

  test('declared values replace the defaults', () => {
    const telemetry = { tracing: false, metrics: false, log_level: 'debug', trace_context_header: 'x-trace' }
    assert.deepEqual(of({ telemetry, runtime: { environment: 'staging' } }), {
      telemetry: { ...telemetry, environment: 'staging' },
      degradations: [],
    })
  })

  for (const header of ['host', 'Content-Type', 'cookie', 'mcp-session', 'no header', '', 'x-api-key']) {
    test(`AAIF-4.7-08: "${header}" carries no trace context, which the plan notes`, () => {
      const { telemetry, degradations } = of({ telemetry: { trace_context_header: header } })
      assert.deepEqual(telemetry, DEFAULTS)
      assert.deepEqual(
        degradations.map(({ path, rule }) => [path, rule]),
        [['/agent/telemetry/trace_context_header', 'AAIF-4.7-08']],
      )
    })
  }

  test('a collector is used when its host is granted, and noted when it is not', () => {
    const otlp_endpoint = 'https://otlp.example/v1'
    assert.deepEqual(of({ telemetry: { otlp_endpoint } }, [parseHostGrant('otlp.example')]), {
      telemetry: { ...DEFAULTS, otlp_endpoint },
      degradations: [],
    })
    const { telemetry, degradations } = of({ telemetry: { otlp_endpoint } })
    assert.deepEqual(telemetry, DEFAULTS)
    assert.deepEqual(
      degradations.map(({ path }) => path),
      ['/agent/telemetry/otlp_endpoint'],
    )
    assert.match(degradations[0]?.reason ?? '', /^telemetry is not sent to this collector: /)
  })
})
