import { type PiiHandling, stricterPii } from '../policy/pii/pii-handling.ts'
import type { SafetyLevel } from './plan.ts'

/** What an agent must hold because one that calls it must (AAIF §3): its constraints, and the stricter level and handling of personal data. */
export interface Inherited {
  readonly constraints: readonly string[]
  readonly level: SafetyLevel
  /** Regions that data must stay in (AAIF §4.9): what one agent may not send out, another may not send out for it. */
  readonly regions: readonly string[]
  readonly pii: PiiHandling
}

export const NOTHING_INHERITED: Inherited = { constraints: [], level: 'minimal', regions: [], pii: 'none' }

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
    readonly definition: {
      readonly agent: {
        readonly constraints?: readonly string[]
        readonly compliance?: {
          readonly safety_level?: SafetyLevel
          readonly data_residency?: string
          readonly pii_handling?: PiiHandling
        }
      }
    }
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
      const passes: Inherited = {
        constraints: [...new Set([...own.constraints, ...(definition.agent.constraints ?? [])])],
        level: stricter(own.level, definition.agent.compliance?.safety_level ?? 'standard'),
        regions: regionsOf(definition.agent.compliance?.data_residency, own.regions),
        pii: stricterPii(own.pii, definition.agent.compliance?.pii_handling ?? 'detect'),
      }
      for (const { found } of subagents) {
        if (found === undefined) continue
        const before = inherited.get(found.definition_hash) ?? NOTHING_INHERITED
        const after: Inherited = {
          constraints: [...new Set([...before.constraints, ...passes.constraints])],
          level: stricter(before.level, passes.level),
          regions: [...new Set([...before.regions, ...passes.regions])],
          pii: stricterPii(before.pii, passes.pii),
        }
        if (
          after.constraints.length === before.constraints.length &&
          after.level === before.level &&
          after.regions.length === before.regions.length &&
          after.pii === before.pii
        )
          continue
        inherited.set(found.definition_hash, after)
        changed = true
      }
    }
  }
  return inherited
}
