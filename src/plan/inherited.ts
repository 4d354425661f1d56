import { type PiiHandling, stricterPii } from '../policy/pii/pii-handling.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'
import type { PlannedApproval, SafetyLevel } from './plan.ts'
import { plannedApproval, stricterApproval } from './plan-approval.ts'

/**
 * The requirements that an agent inherits from agents that may call it (AAIF §3): their constraints, and the stricter of
 * safety level, personal data handling, approval and audit. An agent must not delegate what it may not do itself.
 */
export interface Inherited {
  readonly constraints: readonly string[]
  readonly level: SafetyLevel
  /** Regions that data must stay in (AAIF §4.9). An agent must not send data out through another agent. */
  readonly regions: readonly string[]
  readonly pii: PiiHandling
  /** The writes that a person must approve; absent: none. */
  readonly approval?: PlannedApproval
  readonly audit: boolean
}

type Bound = Pick<AgentDefinition['agent'], 'constraints' | 'compliance'>

export const NOTHING_INHERITED: Inherited = {
  constraints: [],
  level: 'minimal',
  regions: [],
  pii: 'none',
  audit: false,
}

const LEVELS: readonly SafetyLevel[] = ['minimal', 'standard', 'strict', 'regulated']

export function stricter(a: SafetyLevel, b: SafetyLevel): SafetyLevel {
  return LEVELS.indexOf(a) >= LEVELS.indexOf(b) ? a : b
}

/** Returns all required regions; `global` is not a restriction. */
export function regionsOf(declared: string | undefined, inherited: readonly string[]): readonly string[] {
  return [...new Set([...inherited, ...(declared === undefined || declared === 'global' ? [] : [declared])])]
}

/** Returns what each agent of a family inherits from all its direct and indirect callers. */
export function inheritance(
  members: readonly {
    readonly definition_hash: string
    readonly definition: { readonly agent: Bound }
    readonly subagents: readonly { readonly found?: { readonly definition_hash: string } }[]
  }[],
): ReadonlyMap<string, Inherited> {
  const inherited = new Map<string, Inherited>(
    members.map(({ definition_hash }) => [definition_hash, NOTHING_INHERITED]),
  )
  // Repeats until a fixed point, because agents may call each other in cycles. It ends, because each round adds a
  // constraint or raises a level.
  for (let changed = true; changed; ) {
    changed = false
    for (const { definition_hash, definition, subagents } of members) {
      const own = inherited.get(definition_hash) ?? NOTHING_INHERITED
      const { constraints = [], compliance } = definition.agent
      const passes = both(own, {
        constraints,
        level: compliance?.safety_level ?? 'standard',
        regions: regionsOf(compliance?.data_residency, []),
        pii: compliance?.pii_handling ?? 'detect',
        audit: compliance?.audit_log === true,
        ...withApproval(plannedApproval(definition.agent)),
      })
      for (const { found } of subagents) {
        if (found === undefined) continue
        const before = inherited.get(found.definition_hash) ?? NOTHING_INHERITED
        const after = both(before, passes)
        if (JSON.stringify(after) === JSON.stringify(before)) continue
        inherited.set(found.definition_hash, after)
        changed = true
      }
    }
  }
  return inherited
}

/** Returns the requirements with a fixed member order, so that two of them can be compared as text. */
function both(a: Inherited, b: Inherited): Inherited {
  return {
    constraints: [...new Set([...a.constraints, ...b.constraints])],
    level: stricter(a.level, b.level),
    regions: [...new Set([...a.regions, ...b.regions])],
    pii: stricterPii(a.pii, b.pii),
    audit: a.audit || b.audit,
    ...withApproval(stricterApproval(a.approval, b.approval)),
  }
}

function withApproval(approval: PlannedApproval | undefined): Pick<Inherited, 'approval'> {
  return approval === undefined ? {} : { approval }
}
