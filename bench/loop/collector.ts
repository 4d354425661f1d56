import { once } from 'node:events'
import { setImmediate as turnOfEventLoop } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { Subject } from './subject.ts'

/** A collector in a separate thread, whose work is not measured. */
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
/** On the loopback interface of this machine. */
export const collectorPort = port
let received = 0
worker.on('message', (message: { received: number }) => {
  received = message.received
})
worker.unref()
/** Number of runs after which a batch must have been sent, because it is full or its interval has ended. */
const RUNS_OF_A_BATCH = 100
let runs = 0
process.on('exit', () => {
  if (received === 0 && runs > RUNS_OF_A_BATCH) throw new Error('the collector received no data')
})

/** Real models and tools yield to the event loop, in which batches are sent. */
export function takingTurns({ name, prepare }: Subject): Subject {
  return {
    name,
    async prepare(tools, delayMs) {
      const run = await prepare(tools, delayMs)
      return async () => {
        const text = await run()
        if (++runs % 10 === 0) await turnOfEventLoop()
        return text
      }
    },
  }
}
