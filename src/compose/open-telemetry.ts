import { type Collector, collectorOf } from '../adapters/telemetry/collector.ts'
import type { Plan, Program } from '../plan/plan.ts'
import type { RunEvent } from '../run/event.ts'
import type { TelemetryPort } from '../run/ports.ts'
import type { RunState, RunWarning } from '../run/state.ts'
import { followSpans } from '../run/trace/follow-spans.ts'
import type { Parts } from './parts.ts'

/** Reports runs to the operators' collectors (AAIF §4.7). */
export interface Telemetry {
  /** To be told of every event of the run and of its sub-agents' runs. */
  readonly follow: (event: RunEvent, state: RunState) => void
  /**
   * Sends what is left.
   * @param withinMs how long at most: nobody waits for a collector that is slow or gone
   * @returns a warning when something did not arrive, unless the agent's log_level wants none
   */
  close(withinMs: number): Promise<RunWarning | undefined>
}

/**
 * Opens the way to the collectors of a run; undefined when nothing is to be sent anywhere, and then nothing is loaded.
 * @param history the record of a run that this process goes on with
 */
export async function openTelemetry(
  program: Program,
  parts: Parts,
  history: (runId: string) => readonly RunEvent[] = () => [],
): Promise<Telemetry | undefined> {
  const collectors = new Map<Plan, Collector>()
  for (const { plan } of program.family.values()) {
    const collector = collectorOf(plan, parts.settings, parts.env)
    if (collector !== null) collectors.set(plan, collector)
  }
  if (collectors.size === 0) return undefined
  const { createOtlpExport } = await import('../adapters/telemetry/otlp-export.ts')
  const ports = new Map<string, TelemetryPort>()
  const ofPlan = new Map<Plan, TelemetryPort>()
  for (const [plan, collector] of collectors) {
    const key = JSON.stringify(collector)
    const port = ports.get(key) ?? createOtlpExport({ collector, env: parts.env })
    ports.set(key, port)
    ofPlan.set(plan, port)
  }
  const { log_level } = program.plan.telemetry
  return {
    follow: followSpans(program, (plan) => ofPlan.get(plan), history),
    async close(withinMs) {
      const said = await Promise.all([...ports.values()].map((port) => port.close(withinMs)))
      const [problem] = said.filter((one) => one !== undefined)
      if (problem === undefined || log_level === 'error') return undefined
      return { code: 'TELEMETRY_UNSENT', message: `not everything reached the collector ${problem}` }
    },
  }
}
