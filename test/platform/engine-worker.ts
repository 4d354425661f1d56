/** A worker process for tests: performs legs of a scripted agent. Configured by `WORKER` in its environment (JSON). */

import { createMessagePoster } from '../../src/adapters/net/post-message.ts'
import { openDatabase } from '../../src/platform/database/open-database.ts'
import type { OpenWork } from '../../src/platform/engine/work.ts'
import { Worker } from '../../src/platform/engine/worker.ts'
import { InboxWorker } from '../../src/platform/inbox/inbox-worker.ts'
import { firingWork } from '../../src/platform/triggers/trigger-engine.ts'
import { WebhookSender } from '../../src/platform/webhooks/work.ts'
import { webhookGrants } from '../../src/settings/webhook-grants.ts'
import { entryMaker } from '../../src/trust/audit-chain.ts'
import type { WorkerConfig } from './engine-fixture.ts'
import { keysBeside, scriptedDriving } from './scripted-sessions.ts'
import { scriptedTriggers } from './scripted-triggers.ts'

const config = JSON.parse(process.env.WORKER ?? '') as WorkerConfig
const database = await openDatabase(config.urls)
const log = (level: string, message: string) => process.stderr.write(`${level} ${message}\n`)
const triggers = config.triggers === true ? scriptedTriggers(database, config, log) : undefined
const { webhookHosts, webhookTimeoutMs: timeoutMs = 15_000 } = config
const { messages: keys, signAudit } = keysBeside(config.log)
const nextEntry = entryMaker(signAudit)
const works: OpenWork[] = []
if (webhookHosts !== undefined) {
  const post = createMessagePoster(webhookGrants({ allow_hosts: webhookHosts }))
  works.push((host) => new WebhookSender(host, { keys, post, nextEntry, timeoutMs, claimMarginMs: 500 }))
}
if (triggers !== undefined)
  works.push(
    () => firingWork(triggers),
    (host) => new InboxWorker(host, { nextEntry }),
  )
const worker = new Worker({
  ...scriptedDriving(database, config),
  database,
  leaseMs: config.leaseMs,
  ...(config.concurrency !== undefined && { concurrency: config.concurrency }),
  works,
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
