import { type Collector, collectorOf } from '../../src/adapters/telemetry/collector.ts'
import { createOtlpExport } from '../../src/adapters/telemetry/otlp-export.ts'
import type { Program } from '../../src/plan/plan.ts'
import type { TelemetryPort } from '../../src/run/ports.ts'
import { followSpans } from '../../src/run/trace/follow-spans.ts'
import { collectorPort, takingTurns } from './collector.ts'
import type { Subject } from './subject.ts'
import { linesInMemory, waybillSubject } from './waybill.ts'

let telemetry: TelemetryPort | undefined

function open({ plan }: Program): TelemetryPort {
  const collector = collectorOf(
    plan,
    {
      rehearsal: false,
      grants: { hosts: [] },
      key_bindings: {},
      secret_grants: [],
      tools: {},
      budget: {},
      allow_deprecated: false,
      retry_base_ms: 1,
      telemetry: { otlp_endpoint: `http://127.0.0.1:${collectorPort}` },
    },
    {},
  )
  return createOtlpExport({ collector: collector as Collector, env: {} })
}

const reporting = waybillSubject({
  name: 'Waybill, reporting',
  readOnly: true,
  open: (program) => {
    telemetry ??= open(program)
    const to = telemetry
    const onEvent = followSpans(
      program,
      () => to,
      () => [],
    )
    return { ...linesInMemory(), onEvent }
  },
})

/** The same as Waybill, with spans and metrics of every run sent to a collector on this machine. */
export const subject: Subject = takingTurns(reporting)
