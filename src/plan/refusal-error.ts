import type { ErrorObject, ErrorPart } from '../document/issue.ts'
import type { AuditedAgent } from '../policy/audited-agent.ts'
import type { Plan, Program, Refusal } from './plan.ts'

/**
 * Returns one refusal for all of a plan, or null if there is none: the first gives the code and the place, and the
 * message lists every one with its place (AAIF-7-08).
 */
export function allRefusals(refusals: readonly Refusal[]): Refusal | null {
  const [first, ...others] = refusals
  if (first === undefined || others.length === 0) return first ?? null
  const list = refusals.map(({ message, pointer }) => `${message} (${pointer})`).join('; ')
  return { ...first, message: `${refusals.length} reasons: ${list}` }
}

/** Returns the error of a run that a plan refuses, with each refusal in `details` if there are several; else null. */
export function refusalError(refusals: readonly Refusal[]): ErrorObject | null {
  const refusal = allRefusals(refusals)
  if (refusal === null) return null
  const error = partOf(refusal)
  return refusals.length > 1 ? { ...error, details: refusals.map(partOf) } : error
}

function partOf({ audited: _internal, ...part }: Refusal): ErrorPart {
  return part
}

/**
 * Returns what to audit about a sub-agent that a plan refuses, or whose definition is invalid (AAIF-7-10); undefined if
 * there is none that is audited.
 */
export function auditedSubagent({
  plan,
  family,
}: Pick<Program, 'plan' | 'family'>): AuditedAgent | undefined {
  const path = plan.refusals.find(({ audited }) => audited !== undefined)?.subagent ?? []
  const below = path.reduce<Plan | undefined>((caller, name) => {
    const called = caller?.subagents.find(({ alias }) => alias === name)?.agent
    return called === undefined ? undefined : family.get(called)?.plan
  }, plan)
  if (below !== undefined && below !== plan)
    return {
      agent_id: below.agent_id,
      definition: below.definition_hash,
      safety_level: below.safety_level,
    }
  return [plan, ...[...family.values()].map((program) => program.plan)]
    .flatMap(({ subagents }) => subagents)
    .find(({ refused }) => refused !== undefined)?.refused
}
