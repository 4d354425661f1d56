import type { Database } from '../../src/platform/database/open-database.ts'
import { openPostgresRecords } from '../../src/platform/records/open-postgres-records.ts'
import { TenantRuns } from '../../src/platform/runs/runs.ts'
import { TenantSessions } from '../../src/platform/sessions/tenant-sessions.ts'
import { RunFollower } from '../../src/platform/streams/run-follower.ts'
import { TriggerEngine } from '../../src/platform/triggers/trigger-engine.ts'
import type { Principal } from '../../src/session/principal.ts'
import { entryMaker } from '../../src/trust/audit-chain.ts'
import { scriptedRun } from './scripted-agent.ts'
import { keysBeside } from './scripted-sessions.ts'

/** What each run of a trigger does: one call, named after the run. */
const SCRIPT = { pays: 1 }

/** Performs firings with runs of the test agent. A firing whose process has died is claimed again after two seconds. */
export function scriptedTriggers(
  database: Database,
  { log }: { readonly log: string },
  warn: (level: 'warn', message: string) => void,
): TriggerEngine {
  const { signAudit } = keysBeside(log)
  const notify = () => {}
  const follower = new RunFollower(database.engine)
  const runsOf = (principal: Principal) =>
    new TenantRuns({
      database,
      principal,
      follower,
      notify,
      records: openPostgresRecords(database, principal.organisation, { worker: null, signAudit }),
      webhookGrants: { hosts: [] },
      planner: {
        newRun: async (_request, _first, { run_id = '' }) => ({
          run: scriptedRun(run_id, { ...SCRIPT, name: run_id }, { compliance: { audit_log: true } }),
          version: '1.0.0',
        }),
      },
      commanded: notify,
    })
  return new TriggerEngine({
    engine: database.engine,
    nextEntry: entryMaker(signAudit),
    log: warn,
    claimMs: 2000,
    runsOf,
    sessionsOf: (principal) => new TenantSessions({ database, principal, runs: runsOf(principal), notify }),
  })
}
