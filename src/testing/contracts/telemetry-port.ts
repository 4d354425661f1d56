import assert from 'node:assert/strict'
import type { Measurement, Span, TelemetryPort } from '../../run/ports.ts'
import type { ContractCase } from './contract-case.ts'

/** A port with a working receiver, and a port whose receiver is unreachable. */
export interface TelemetrySubject {
  readonly port: TelemetryPort
  /** Returns the names of the spans and measurements that have arrived. */
  arrived(): Promise<readonly string[]>
  readonly gone: TelemetryPort
}

const SPAN: Span = {
  trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
  span_id: '00f067aa0ba902b7',
  parent_id: null,
  sampled: true,
  name: 'aaif.agent.run',
  kind: 'internal',
  start: 1_800_000_000_000,
  end: 1_800_000_000_500,
  attributes: { 'aaif.agent.id': 'a', count: 3, list: ['x'] },
}
const MEASUREMENT: Measurement = {
  name: 'aaif_agent_run_total',
  value: 1,
  labels: { status: 'success' },
}

/** Returns the contract of every telemetry port. @param open returns a new subject for each case */
export function telemetryPortContract(open: () => Promise<TelemetrySubject>): readonly ContractCase[] {
  const suite: readonly [string, (subject: TelemetrySubject) => Promise<void>][] = [
    [
      'all spans and measurements have arrived after a close, which returns no reason',
      async ({ port, arrived }) => {
        port.span(SPAN)
        port.measure(MEASUREMENT)
        assert.equal(await port.close(5000), undefined)
        assert.deepEqual([...(await arrived())].sort(), ['aaif.agent.run', 'aaif_agent_run_total'])
      },
    ],
    [
      'accepts spans that are not sampled or not ended',
      async ({ port }) => {
        port.span({ ...SPAN, sampled: false })
        port.span({ ...SPAN, end: null })
        assert.equal(await port.close(5000), undefined)
      },
    ],
    [
      'an unreachable receiver does not delay the run, and is reported at the end, in time',
      async ({ gone }) => {
        const began = performance.now()
        for (let n = 0; n < 5000; n++) gone.span(SPAN)
        gone.measure(MEASUREMENT)
        const took = performance.now() - began
        assert.ok(took < 1000, `reporting took ${took} ms`)
        assert.match((await gone.close(500)) ?? '', /\S/)
        assert.ok(performance.now() - began < 3000)
      },
    ],
  ]
  return suite.map(([name, check]) => ({ name, check: async () => check(await open()) }))
}
