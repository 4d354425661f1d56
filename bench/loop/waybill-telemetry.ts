import { collectorPort, takingTurns } from './collector.ts'
import type { Subject } from './subject.ts'
import { waybillSubject } from './waybill.ts'

/** Waybill with spans and metrics of every run sent to a collector on this machine. */
export const subject: Subject = takingTurns(
  waybillSubject({
    name: 'Waybill, reporting',
    options: () => ({ telemetry: { otlpEndpoint: `http://127.0.0.1:${collectorPort}` } }),
  }),
)
