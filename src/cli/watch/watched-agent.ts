import { dirname } from 'node:path'
import { assertFunctions } from '../../compose/functions.ts'
import { defined } from '../../document/defined.ts'
import { WaybillError } from '../../document/issue.ts'
import type { JsonObject } from '../../document/json.ts'
import { concurrencyOf } from '../../plan/concurrency-of.ts'
import type { PlannedTrigger } from '../../plan/plan.ts'
import { allRefusals, auditedSubagent } from '../../plan/refusal-error.ts'
import { auditedAgent } from '../../policy/audited-agent.ts'
import type { FirstFact } from '../../run/record/records.ts'
import type { RunResult } from '../../run/result.ts'
import type { AgentSessions } from '../../session/agent-sessions.ts'
import { auditingRefusal } from '../../session/audit-refusal.ts'
import { shortRunId } from '../../session/short-run-id.ts'
import { EXIT, type ExitCode } from '../io.ts'
import type { RunOptions } from '../options/run-options.ts'
import { slotOptions } from '../options/wait-option.ts'
import { reportError } from '../report-error.ts'
import { driveRun, exitOf } from '../run-session/drive-run.ts'
import type { OpenedCommand } from '../run-session/opened-command.ts'
import { originOf, sessionsOf } from '../run-session/run-origin.ts'
import { importAttempt, type RunSetup, setUpRun } from '../run-session/run-setup.ts'
import { eventsView } from '../run-view/events-view.ts'
import { usageError } from '../usage-error.ts'

export interface WatchOptions extends RunOptions {
  readonly once?: boolean
  readonly events?: 'ndjson'
}

/** An agent whose triggers are watched, and its runs. */
export interface WatchedAgent {
  readonly name: string
  readonly agentId: string
  /** The folder of the definition. */
  readonly folder: string
  readonly setup: RunSetup
  /** @returns false if an earlier run of this trigger has not started yet */
  request(trigger: PlannedTrigger, input: JsonObject): boolean
  /** Resolves when no run is active, with the highest exit code. Drops runs that have not started. */
  idle(): Promise<ExitCode>
}

/** What is called about the runs of a watched agent. */
export interface WatchedRuns {
  /** Takes the result of each run, with the name of its agent and the short form of the run's id. */
  deliver(label: string, result: RunResult, short: string): void
  /** Called when no more runs are to start: after the first run with `--once`, or after Ctrl-C. */
  end(): void
  /** Called with the number of active runs when it changes. */
  showActive(runs: number): void
}

/** A plan of the agent with its connections. */
interface Planned {
  readonly setup: RunSetup
  readonly sessions: AgentSessions
  /** Unix time in milliseconds. */
  readonly at: number
  /** The number of active runs of this plan. */
  running: number
}

/**
 * Plans an agent once for all its runs, and again when a context text of the plan has expired. At most
 * `runtime.concurrency` (default 1) runs are active.
 */
export async function watchedAgent(
  file: string,
  command: OpenedCommand<WatchOptions>,
  { deliver, end, showActive }: WatchedRuns,
): Promise<WatchedAgent> {
  const { options, io, home } = command
  if (file === '-') {
    throw usageError('a definition from standard input cannot be watched', 'give the definition as a file')
  }
  const planned = async (): Promise<Planned> => {
    const setup = await setUpRun(file, command, { starts: true })
    return { setup, sessions: sessionsOf(setup, io), at: Date.now(), running: 0 }
  }
  let current = await planned()
  const { setup } = current
  const { plan } = setup.program
  await auditingRefusal(
    importAttempt(file, command),
    () => setup.definition,
    () => {
      const refusal = allRefusals(plan.refusals)
      if (refusal === null) return
      const { code, message, pointer, rule, hint } = refusal
      const refused = auditedAgent(setup.definition) ?? auditedSubagent(setup.program)
      throw new WaybillError(code, { file, message, at: pointer, rule, hint, ...defined({ refused }) })
    },
  )
  assertFunctions(plan, setup.parts)
  const limit = concurrencyOf(plan.limits, true) ?? 1
  const queue: { readonly trigger: PlannedTrigger; readonly input: JsonObject }[] = []
  const running = new Set<Promise<ExitCode>>()
  let over = false
  let worst: ExitCode = EXIT.ok

  /** An outdated plan is closed after its last run, because its connections may be processes. */
  const closeUnused = async (used: Planned): Promise<void> => {
    if (used !== current && used.running === 0) await used.sessions.close()
  }
  const refresh = async (): Promise<void> => {
    const outdated = current
    current = await planned()
    await closeUnused(outdated)
  }
  let refreshing: Promise<void> | undefined

  const runOne = async (input: JsonObject): Promise<ExitCode> => {
    if (isStale(current)) {
      refreshing ??= refresh().finally(() => {
        refreshing = undefined
      })
      await refreshing
    }
    const used = current
    used.running++
    try {
      return await runOf(used, input)
    } finally {
      used.running--
      await closeUnused(used)
    }
  }

  const runOf = async ({ setup: own, sessions }: Planned, input: JsonObject): Promise<ExitCode> => {
    const first: FirstFact = { type: 'run.started', input, triggered: true }
    const session = await sessions.start(first, originOf(own, options, io))
    try {
      const events = options.events === 'ndjson'
      const driven = await driveRun(
        session,
        events ? eventsView(io) : {},
        slotOptions(own.program.plan, { unattended: true }, io),
      )
      const { result } = driven
      deliver(`${plan.agent_name}:`, result, await shortRunId(home, result.run_id))
      return exitOf(driven)
    } finally {
      await session.close()
    }
  }

  const pump = () => {
    while (!over && running.size < limit) {
      const next = queue.shift()
      if (next === undefined) return
      const one = runOne(next.input)
        // A run that cannot start must not end the others.
        .catch((error) => reportError(error, io, false))
        .then((exit) => {
          running.delete(one)
          showActive(running.size)
          worst = Math.max(worst, exit) as ExitCode
          if (options.once === true || exit === EXIT.interrupted) {
            over = true
            end()
          }
          pump()
          return exit
        })
      running.add(one)
      showActive(running.size)
    }
  }

  return {
    name: plan.agent_name,
    agentId: plan.agent_id,
    folder: dirname(setup.file ?? file),
    setup,
    request(trigger, input) {
      if (queue.some((waiting) => waiting.trigger === trigger)) return false
      queue.push({ trigger, input })
      pump()
      return true
    },
    async idle() {
      over = true
      await Promise.all(running)
      await current.sessions.close()
      // Failures have already been reported; they are not a failure of `watch` itself.
      return options.once === true || worst === EXIT.interrupted ? worst : EXIT.ok
    },
  }
}

/** Returns whether a fetched context text is older than context[].refresh_ttl_seconds. */
function isStale({ setup, at }: Planned): boolean {
  return (setup.definition.agent.context ?? []).some(
    ({ type, refresh_ttl_seconds: ttl = 0 }) => type === 'url' && ttl > 0 && Date.now() - at >= ttl * 1000,
  )
}
