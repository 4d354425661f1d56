/** A worker process for tests: performs legs of a scripted agent. Configured by `WORKER` in its environment (JSON). */

import { createMessagePoster } from '../../src/adapters/net/post-message.ts'
import { openDatabase } from '../../src/platform/database/open-database.ts'
import { Worker } from '../../src/platform/engine/worker.ts'
import { webhookGrants } from '../../src/settings/webhook-grants.ts'
import { entryMaker } from '../../src/trust/audit-chain.ts'
import type { WorkerConfig } from './engine-fixture.ts'
import { keysBeside, scriptedDriving } from './scripted-sessions.ts'
import { scriptedTriggers } from './scripted-triggers.ts'

const config = JSON.parse(process.env.WORKER ?? '') as WorkerConfig
const database = await openDatabase(config.urls)
const log = (level: string, message: string) => process.stderr.write(`${level} ${message}\n`)
const triggers = config.triggers === true ? scriptedTriggers(database, config, log) : undefined
const worker = new Worker({
  ...scriptedDriving(database, config),
  database,
  leaseMs: config.leaseMs,
  ...(config.webhookHosts !== undefined && {
    webhooks: {
      keys: keysBeside(config.log).messages,
      post: createMessagePoster(webhookGrants({ allow_hosts: config.webhookHosts })),
      nextEntry: entryMaker(keysBeside(config.log).signAudit),
      timeoutMs: config.webhookTimeoutMs ?? 15_000,
      claimMarginMs: 500,
    },
  }),
  ...(config.concurrency !== undefined && { concurrency: config.concurrency }),
  ...(triggers !== undefined && {
    triggers,
    inbox: { nextEntry: entryMaker(keysBeside(config.log).signAudit) },
  }),
  log,
})
await worker.start()
process.stdout.write('ready\n')
process.on('SIGTERM', async () => {
  await triggers?.stop()
  await worker.stop()
  await database.close()
  process.exit(0)
})
