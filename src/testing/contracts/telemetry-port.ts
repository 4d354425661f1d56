import assert from 'node:assert/strict'
import type { Measurement, Span, TelemetryPort } from '../../run/ports.ts'
import type { ContractCase } from './contract-case.ts'

/** A port whose receiver takes what it is told, and one whose receiver is gone. */
export interface TelemetrySubject {
  readonly port: TelemetryPort
  /** The names of the spans and measurements that have arrived. */
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

/** What everyone promises who is told of runs. @param open a subject of its own for each case */
export function telemetryPortContract(open: () => Promise<TelemetrySubject>): readonly ContractCase[] {
  const suite: readonly [string, (subject: TelemetrySubject) => Promise<void>][] = [
    [
      'what it is told arrives when it is closed, without a word',
      async ({ port, arrived }) => {
        port.span(SPAN)
        port.measure(MEASUREMENT)
        assert.equal(await port.close(5000), undefined)
        assert.deepEqual([...(await arrived())].sort(), ['aaif.agent.run', 'aaif_agent_run_total'])
      },
    ],
    [
      'what is not sampled, or not over, is taken without harm',
      async ({ port }) => {
        port.span({ ...SPAN, sampled: false })
        port.span({ ...SPAN, end: null })
        assert.equal(await port.close(5000), undefined)
      },
    ],
    [
      'a receiver that is gone costs nobody anything, and is said at the end, in time',
      async ({ gone }) => {
        const began = performance.now()
        for (let n = 0; n < 5000; n++) gone.span(SPAN)
        gone.measure(MEASUREMENT)
        const told = performance.now() - began
        assert.ok(told < 1000, `telling took ${told} ms`)
        assert.match((await gone.close(500)) ?? 'nothing was said', /\S/)
        assert.ok(performance.now() - began < 3000)
      },
    ],
  ]
  return suite.map(([name, check]) => ({ name, check: async () => check(await open()) }))
}
