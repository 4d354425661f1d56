import { defined } from '../document/defined.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'
import type { PlannedApproval } from './plan.ts'

/** Returns the writes that a person must approve by the definition (AAIF §4.9 human_in_the_loop); undefined: none. */
export function plannedApproval({
  compliance,
}: Pick<AgentDefinition['agent'], 'compliance'>): PlannedApproval | undefined {
  const { enabled, trigger, timeout_seconds } = compliance?.human_in_the_loop ?? {}
  if (enabled !== true) return undefined
  return {
    ...defined({ trigger }),
    ...(timeout_seconds !== undefined && { timeout_ms: Math.max(0, timeout_seconds) * 1000 }),
  }
}

/** Combines two requirements. If their conditions differ, every write needs approval. */
export function stricterApproval(
  a: PlannedApproval | undefined,
  b: PlannedApproval | undefined,
): PlannedApproval | undefined {
  if (a === undefined || b === undefined) return a ?? b
  const same = JSON.stringify(a.trigger) === JSON.stringify(b.trigger)
  const limits = [a.timeout_ms, b.timeout_ms].filter((limit) => limit !== undefined)
  return {
    ...(same && a.trigger !== undefined && { trigger: a.trigger }),
    ...(limits.length > 0 && { timeout_ms: Math.min(...limits) }),
  }
}
