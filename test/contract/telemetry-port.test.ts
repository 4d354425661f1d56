import { describe, type TestContext } from 'node:test'
import { type TelemetrySubject, telemetryPortContract } from 'waybill/testing'
import { environmentSecrets } from '../../src/adapters/secrets/environment-secrets.ts'
import { createOtlpExport } from '../../src/adapters/telemetry/otlp-export.ts'
import { parseHostGrant } from '../../src/policy/endpoint-gate.ts'
import { grpcCollector, httpCollector, type TestCollector } from '../telemetry/collector.ts'
import { hold } from './hold.ts'

const PROTOCOLS = { 'http/protobuf': httpCollector, grpc: grpcCollector } as const

async function open(
  t: TestContext,
  protocol: keyof typeof PROTOCOLS,
  start: (t: TestContext) => Promise<TestCollector>,
): Promise<TelemetrySubject> {
  const collector = await start(t)
  const portTo = (url: string) => {
    const paths = protocol === 'grpc' ? ['', ''] : ['/v1/traces', '/v1/metrics']
    const [traces, metrics] = paths.map((path) => ({ url: url + path, headers: {} }))
    if (traces === undefined || metrics === undefined) throw new Error('there are two signals')
    const grants = { hosts: [parseHostGrant('127.0.0.1')] }
    const collector = { name: url, protocol, traces, metrics, grants }
    return createOtlpExport({ collector, env: {}, secrets: environmentSecrets({}) })
  }
  return {
    port: portTo(collector.url),
    arrived: async () => [...collector.spans, ...collector.points].map(({ name }) => name),
    gone: portTo('http://127.0.0.1:1'),
  }
}

for (const [protocol, start] of Object.entries(PROTOCOLS)) {
  describe(`a telemetry port: OTLP over ${protocol}`, () =>
    hold(telemetryPortContract, (t) => open(t, protocol as keyof typeof PROTOCOLS, start)))
}
