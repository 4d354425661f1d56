import type { DefinitionReader } from '../platform/agents/definition-reader.ts'
import type { Database } from '../platform/database/open-database.ts'
import { PLATFORM } from '../platform/engine/leg.ts'
import type { WorkerOptions } from '../platform/engine/worker.ts'
import { GroupCommit } from '../platform/records/group-commit.ts'
import { openPostgresRecords, type PostgresRecords } from '../platform/records/open-postgres-records.ts'
import type { RunFollower } from '../platform/streams/run-follower.ts'
import { TextWriter } from '../platform/streams/text-writer.ts'
import type { Measurement } from '../run/ports.ts'
import { followSpans } from '../run/trace/follow-spans.ts'
import type { Home } from '../session/home.ts'
import type { Principal } from '../session/principal.ts'
import type { HomeKeys } from './home-keys.ts'
import { type PlatformAgents, type PlatformOperator, platformAgents } from './platform-agents.ts'

export interface DrivingParts {
  readonly database: Database
  readonly operator: PlatformOperator
  readonly reader: Pick<DefinitionReader, 'content'>
  readonly keys: HomeKeys
  readonly follower: RunFollower
  /** See `StoreParts`. */
  readonly stampSent: () => Promise<void>
  readonly homeFrom: (records: PostgresRecords, principal: Principal) => Home
  /** Receives the measurements of the runs that this process drives (AAIF §4.7). */
  readonly measure?: ((measurement: Measurement) => void) | undefined
}

/** What a process needs to drive runs of recorded plans. */
export interface Driving extends Pick<WorkerOptions, 'recordsOf' | 'sessionsOf' | 'follow'> {
  close(): Promise<void>
}

/** Opens the records, agents and observers with which a process drives runs. Opens no connection before they are used. */
export function drivingOf(parts: DrivingParts): Driving {
  const { database, operator, reader, keys, follower, homeFrom, measure, stampSent } = parts
  const group = new GroupCommit(database.engine)
  const texts = new TextWriter(database.engine, { onWritten: (org, runId) => follower.notify(org, runId) })
  // Sub-agents' runs are held by the identity whose records opened them, so each identity has its own agents.
  const agents = new Map<string, PlatformAgents>()
  const homes = new Map<string, Home>()
  const agentsFor = (identity: string) => {
    const known = agents.get(identity)
    if (known !== undefined) return known
    const made = platformAgents({
      operator,
      reader,
      pool: database.engine,
      homeOf: (org) => {
        const home = homes.get(`${org} ${identity}`)
        if (home === undefined) throw new Error(`no records of organisation ${org} are open`)
        return home
      },
      by: PLATFORM,
    })
    agents.set(identity, made)
    return made
  }
  const eventsOf = (org: string, runId: string) =>
    openPostgresRecords(database, org, { worker: null, signAudit: keys.signAudit }).runs.events(runId)
  return {
    recordsOf: (org, identity) => {
      const records = openPostgresRecords(database, org, {
        worker: identity,
        signAudit: keys.signAudit,
        group,
        stampSent,
      })
      homes.set(`${org} ${identity}`, homeFrom(records, platformPrincipal(org)))
      return records
    },
    sessionsOf: (org, run, identity) => agentsFor(identity).sessionsOf(org, run),
    async follow(org, { run, state, program }) {
      const { run_id } = run.header
      const { onText, onEvent } = texts.run({ org, runId: run_id, epoch: run.epoch, state })
      if (measure === undefined) return { onText, onEvent }
      const history = new Map(state.seq === 0 ? [] : [[run_id, await eventsOf(org, run_id)]])
      const spans = followSpans(program, () => ({ span: () => {}, measure }), history)
      return {
        onText,
        onEvent: (event, at) => {
          onEvent(event, at)
          spans(event, at)
        },
      }
    },
    async close() {
      await texts.close()
      for (const one of agents.values()) await one.close()
    },
  }
}

/** The platform itself, where no person acts. */
export function platformPrincipal(organisation: string): Principal {
  return { organisation, user: PLATFORM, roles: ['operator'] }
}
