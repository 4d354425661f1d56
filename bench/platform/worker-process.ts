/** A worker of the platform, whose model and tool are scripted: see `startChild`. */
import { toolModuleOf } from '../../src/compose/functions.ts'
import { openSecrets } from '../../src/compose/open-secrets.ts'
import { runHost } from '../../src/compose/run-host.ts'
import { type DatabaseUrls, openDatabase } from '../../src/platform/database/open-database.ts'
import { Worker } from '../../src/platform/engine/worker.ts'
import { GroupCommit } from '../../src/platform/records/group-commit.ts'
import {
  openPostgresRecords,
  type PostgresRecords,
} from '../../src/platform/records/open-postgres-records.ts'
import { AgentSessions } from '../../src/session/agent-sessions.ts'
import { SETTINGS } from '../../test/run/fixture.ts'
import { auditKey, Scripted } from './agent.ts'
import { answer, configOf } from './child.ts'

export interface WorkerConfig {
  readonly urls: DatabaseUrls
  /** Legs at a time; default: that of the product. */
  readonly concurrency?: number
}

const { urls, concurrency } = configOf<WorkerConfig>()
const database = await openDatabase(urls)
const group = new GroupCommit(database.engine)
const scripted = new Scripted()
const secrets = openSecrets({ OPENAI_API_KEY: 'not-used' })
const recordsBy = new Map<string, PostgresRecords>()
const sessionsBy = new WeakMap<PostgresRecords, AgentSessions>()

const worker = new Worker({
  database,
  ...(concurrency !== undefined && { concurrency }),
  recordsOf: (org, identity) => {
    const records = openPostgresRecords(database, org, { worker: identity, signAudit: () => auditKey, group })
    recordsBy.set(org, records)
    return records
  },
  async sessionsOf(org) {
    const records = recordsBy.get(org)
    if (records === undefined) throw new Error(`no records of organisation ${org} are open`)
    const sessions = sessionsBy.get(records) ?? newSessions(records)
    sessionsBy.set(records, sessions)
    return sessions
  },
  follow: () => ({}),
  log: (level, message) => process.stderr.write(`${level} ${message}\n`),
})

function newSessions(records: PostgresRecords): AgentSessions {
  const { model } = scripted
  const tools = toolModuleOf({ send: (args: unknown) => scripted.send(args) })
  return new AgentSessions(
    runHost({ settings: SETTINGS, env: {}, secrets, model, tools }, 'the platform', records),
  )
}

await worker.start()
answer(() => ({ ...scripted.take(), ...group.counts() }))
