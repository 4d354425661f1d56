import { type Collector, collectorOf } from '../adapters/telemetry/collector.ts'
import type { OtlpExport } from '../adapters/telemetry/otlp-export.ts'
import type { Plan, Program } from '../plan/plan.ts'
import { followSpans } from '../run/trace/follow-spans.ts'
import type { Histories, RunTelemetry } from '../session/run-host.ts'
import type { Parts } from './parts.ts'

/** How long to wait for collectors after the last run, in milliseconds. */
const CLOSE_MS = 5000

/** The collectors that all runs of an agent share (AAIF §4.7). */
export interface AgentTelemetry {
  /**
   * Reports one run. Returns undefined, and loads nothing, if no collector is configured.
   * @param history reads the record of a resumed run
   */
  open(program: Program, history: () => Promise<Histories>): Promise<RunTelemetry | undefined>
  /** Sends the remaining data in the background. */
  close(): void
}

export function agentTelemetry(parts: Parts): AgentTelemetry {
  const ports = new Map<string, OtlpExport>()
  const known = new WeakMap<Program, Promise<ReadonlyMap<Plan, OtlpExport>>>()
  const portOf = async (collector: Collector): Promise<OtlpExport> => {
    const { createOtlpExport } = await import('../adapters/telemetry/otlp-export.ts')
    const key = JSON.stringify(collector)
    const port = ports.get(key) ?? createOtlpExport({ collector, env: parts.env, secrets: parts.secrets })
    ports.set(key, port)
    return port
  }
  const portsOf = async (program: Program): Promise<ReadonlyMap<Plan, OtlpExport>> => {
    const ofPlan = new Map<Plan, OtlpExport>()
    for (const [plan, collector] of collectorsOf(program, parts)) ofPlan.set(plan, await portOf(collector))
    return ofPlan
  }
  return {
    async open(program, history) {
      const opened = known.get(program) ?? portsOf(program)
      known.set(program, opened)
      // A collector that could not be opened must not block the next run.
      opened.catch(() => known.delete(program))
      const ofPlan = await opened
      if (ofPlan.size === 0) return undefined
      const { log_level } = program.plan.telemetry
      return {
        follow: followSpans(program, (plan) => ofPlan.get(plan), await history()),
        async flush(withinMs) {
          const own = new Set(ofPlan.values())
          const problems = await Promise.all([...own].map((port) => port.flush(withinMs)))
          const problem = problems.find((one) => one !== undefined)
          if (problem === undefined || log_level === 'error') return undefined
          return {
            code: 'TELEMETRY_UNSENT',
            message: `some telemetry did not reach the collector ${problem}`,
          }
        },
      }
    },
    close() {
      for (const port of ports.values()) void port.close(CLOSE_MS)
      ports.clear()
    },
  }
}

function collectorsOf(program: Program, { settings, env }: Parts): ReadonlyMap<Plan, Collector> {
  const collectors = new Map<Plan, Collector>()
  for (const { plan } of program.family.values()) {
    const collector = collectorOf(plan, settings, env)
    if (collector !== null) collectors.set(plan, collector)
  }
  return collectors
}
