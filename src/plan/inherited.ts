import { type PiiHandling, stricterPii } from '../policy/pii/pii-handling.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'
import type { PlannedApproval, SafetyLevel } from './plan.ts'
import { plannedApproval, stricterApproval } from './plan-approval.ts'

/**
 * What an agent must hold because one that calls it must (AAIF §3): its constraints, and of level, personal data,
 * approval and audit what is stricter. What one agent may not do, another may not do for it.
 */
export interface Inherited {
  readonly constraints: readonly string[]
  readonly level: SafetyLevel
  /** Regions that data must stay in (AAIF §4.9): what one agent may not send out, another may not send out for it. */
  readonly regions: readonly string[]
  readonly pii: PiiHandling
  /** Which writes a person must approve; absent: none. */
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

/** Every region that must hold; `global` is none. */
export function regionsOf(declared: string | undefined, inherited: readonly string[]): readonly string[] {
  return [...new Set([...inherited, ...(declared === undefined || declared === 'global' ? [] : [declared])])]
}

/** What each member of a family inherits, from everybody who may call it, however far up. */
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
  // Until nothing changes: agents may call one another in circles. Each round adds a constraint or a level, so it ends.
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

/** Its members are always in one order, so that two of them can be compared as texts. */
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
