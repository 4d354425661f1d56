/** A worker process for tests: performs legs of a scripted agent. Configured by `WORKER` in its environment (JSON). */

import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { appendFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { toolModuleOf } from '../../src/compose/functions.ts'
import { openSecrets } from '../../src/compose/open-secrets.ts'
import { runHost } from '../../src/compose/run-host.ts'
import { openDatabase } from '../../src/platform/database/open-database.ts'
import { Worker } from '../../src/platform/engine/worker.ts'
import {
  openPostgresRecords,
  type PostgresRecords,
} from '../../src/platform/records/open-postgres-records.ts'
import { AgentSessions } from '../../src/session/agent-sessions.ts'
import { SETTINGS } from '../run/fixture.ts'
import { scriptedFor, type WorkerConfig } from './engine-fixture.ts'

const config = JSON.parse(process.env.WORKER ?? '') as WorkerConfig
const database = await openDatabase(config.urls)
const privateKey =
  config.auditKey === undefined
    ? generateKeyPairSync('ed25519').privateKey
    : createPrivateKey(config.auditKey)
const sessions = new Map<string, AgentSessions>()
const opened = new Map<string, PostgresRecords>()
const secrets = openSecrets({ OPENAI_API_KEY: 'not-used' })

const worker = new Worker({
  database,
  leaseMs: config.leaseMs,
  ...(config.concurrency !== undefined && { concurrency: config.concurrency }),
  recordsOf(org, identity) {
    const records = openPostgresRecords(database, org, { worker: identity, signAudit: () => privateKey })
    opened.set(`${org} ${identity}`, records)
    return records
  },
  async sessionsOf(org, { plan }, identity) {
    const key = `${org} ${identity} ${plan.agent_id}`
    const known = sessions.get(key)
    if (known !== undefined) return known
    const records = opened.get(`${org} ${identity}`)
    if (records === undefined) throw new Error(`no records of ${org} are open`)
    const host = runHost(
      {
        settings: SETTINGS,
        env: {},
        secrets,
        model: scriptedFor(config),
        tools: toolModuleOf({
          send: async (args: { readonly kill?: boolean }) => {
            appendFileSync(config.log, `pay ${JSON.stringify(args)}\n`)
            if (args.kill === true) process.kill(process.pid, 'SIGKILL')
            await sleep(config.toolMs ?? 0)
            return 'paid'
          },
        }),
      },
      'the platform',
      records,
    )
    const made = new AgentSessions(host)
    sessions.set(key, made)
    return made
  },
  follow: async () => ({}),
  log: (level, message) => process.stderr.write(`${level} ${message}\n`),
})
await worker.start()
process.stdout.write('ready\n')
process.on('SIGTERM', async () => {
  await worker.stop()
  await database.close()
  process.exit(0)
})
