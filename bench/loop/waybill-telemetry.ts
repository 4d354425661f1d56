import { once } from 'node:events'
import { setImmediate as turnOfEventLoop } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { type Collector, collectorOf } from '../../src/adapters/telemetry/collector.ts'
import { createOtlpExport } from '../../src/adapters/telemetry/otlp-export.ts'
import type { Program } from '../../src/plan/plan.ts'
import { followSpans } from '../../src/run/follow-spans.ts'
import type { TelemetryPort } from '../../src/run/ports.ts'
import type { Subject } from './subject.ts'
import { linesInMemory, waybillSubject } from './waybill.ts'

/** A collector in a thread of its own: what it does is no part of the figure. */
const COLLECTOR = `
const { parentPort } = require('node:worker_threads')
let received = 0
const server = require('node:http').createServer((request, response) => {
  request.on('data', (chunk) => { received += chunk.length })
  request.on('end', () => { response.end(); parentPort.postMessage({ received }) })
})
server.listen(0, '127.0.0.1', () => parentPort.postMessage({ port: server.address().port }))
`
const worker = new Worker(COLLECTOR, { eval: true })
const [{ port }] = (await once(worker, 'message')) as [{ port: number }]
let received = 0
worker.on('message', (message: { received: number }) => {
  received = message.received
})
worker.unref()
process.on('exit', () => {
  if (received === 0) throw new Error('the collector was sent nothing')
})

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
      telemetry: { otlp_endpoint: `http://127.0.0.1:${port}` },
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
export const subject: Subject = {
  name: reporting.name,
  async prepare(tools, delayMs) {
    const run = await reporting.prepare(tools, delayMs)
    let runs = 0
    return async () => {
      const text = await run()
      // Real models and tools take turns of the event loop, in which batches leave.
      if (++runs % 10 === 0) await turnOfEventLoop()
      return text
    }
  },
}
