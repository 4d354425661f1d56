import { appendFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { toolModuleOf } from '../../src/compose/functions.ts'
import { homeKeys } from '../../src/compose/home-keys.ts'
import { openSecrets } from '../../src/compose/open-secrets.ts'
import type { Parts } from '../../src/compose/parts.ts'
import { platformPrincipal } from '../../src/compose/platform-driving.ts'
import { runHost } from '../../src/compose/run-host.ts'
import type { Database } from '../../src/platform/database/open-database.ts'
import type { WorkerOptions } from '../../src/platform/engine/worker.ts'
import {
  openPostgresRecords,
  type PostgresRecords,
} from '../../src/platform/records/open-postgres-records.ts'
import type { ModelPort } from '../../src/run/ports.ts'
import { AgentSessions } from '../../src/session/agent-sessions.ts'
import { SETTINGS } from '../run/fixture.ts'
import { scriptedModel } from './scripted-agent.ts'

export interface ScriptedOptions {
  /** A file to which each call of a tool adds a line. The keys of the audit log are in its folder. */
  readonly log: string
  /** How long a call takes, in milliseconds. */
  readonly toolMs?: number
  /** How long the model takes, in milliseconds. */
  readonly modelMs?: number
  readonly model?: ModelPort
}

/** The model and the tools of the test agent. */
export function scriptedParts(options: ScriptedOptions): Parts {
  const { log, toolMs = 0, model = scriptedModel(options) } = options
  const tool = (name: string) => async (args: { readonly kill?: boolean; readonly ms?: number }) => {
    appendFileSync(log, `${name} ${JSON.stringify(args)}\n`)
    if (args.kill === true) process.kill(process.pid, 'SIGKILL')
    await sleep(args.ms ?? toolMs)
    return 'paid'
  }
  return {
    settings: SETTINGS,
    env: {},
    secrets: openSecrets({ OPENAI_API_KEY: 'not-used' }),
    model,
    tools: toolModuleOf({
      send: tool('send'),
      book: Object.assign(tool('book'), { idempotent: true }),
      look: Object.assign(tool('look'), { readOnly: true }),
    }),
  }
}

/** The keys beside a log: the same in all processes of a test. */
export const keysBeside = (log: string) => homeKeys(dirname(log))

/** Opens records and sessions of the test agent for a worker. */
export function scriptedDriving(
  database: Database,
  options: ScriptedOptions,
): Pick<WorkerOptions, 'recordsOf' | 'sessionsOf' | 'follow'> {
  const keys = keysBeside(options.log)
  const parts = scriptedParts(options)
  const opened = new Map<string, PostgresRecords>()
  const sessions = new Map<string, AgentSessions>()
  return {
    recordsOf(org, identity) {
      const records = openPostgresRecords(database, org, { worker: identity, signAudit: keys.signAudit })
      opened.set(`${org} ${identity}`, records)
      return records
    },
    async sessionsOf(org, { plan }, identity) {
      const key = `${org} ${identity} ${plan.agent_id}`
      const known = sessions.get(key)
      if (known !== undefined) return known
      const records = opened.get(`${org} ${identity}`)
      if (records === undefined) throw new Error(`no records of ${org} are open`)
      const { secrets } = parts
      const home = { ...records, ...keys, principal: platformPrincipal(org), secrets }
      const made = new AgentSessions(runHost({ ...parts, home }, 'the platform', records))
      sessions.set(key, made)
      return made
    },
    follow: async () => ({}),
  }
}
