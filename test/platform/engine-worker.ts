/** A worker process for tests: performs legs of a scripted agent. Configured by `WORKER` in its environment (JSON). */

import { openDatabase } from '../../src/platform/database/open-database.ts'
import { Worker } from '../../src/platform/engine/worker.ts'
import type { WorkerConfig } from './engine-fixture.ts'
import { scriptedDriving } from './scripted-sessions.ts'

const config = JSON.parse(process.env.WORKER ?? '') as WorkerConfig
const database = await openDatabase(config.urls)
const worker = new Worker({
  ...scriptedDriving(database, config),
  database,
  leaseMs: config.leaseMs,
  ...(config.concurrency !== undefined && { concurrency: config.concurrency }),
  log: (level, message) => process.stderr.write(`${level} ${message}\n`),
})
await worker.start()
process.stdout.write('ready\n')
process.on('SIGTERM', async () => {
  await worker.stop()
  await database.close()
  process.exit(0)
})
