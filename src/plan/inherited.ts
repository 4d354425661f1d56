import type { SafetyLevel } from './plan.ts'

/** What an agent must hold because one that calls it must (AAIF §3): its constraints, and the stricter level. */
export interface Inherited {
  readonly constraints: readonly string[]
  readonly level: SafetyLevel
}

export const NOTHING_INHERITED: Inherited = { constraints: [], level: 'minimal' }

const LEVELS: readonly SafetyLevel[] = ['minimal', 'standard', 'strict', 'regulated']

export function stricter(a: SafetyLevel, b: SafetyLevel): SafetyLevel {
  return LEVELS.indexOf(a) >= LEVELS.indexOf(b) ? a : b
}

/** What each member of a family inherits, from everybody who may call it, however far up. */
export function inheritance(
  members: readonly {
    readonly definition_hash: string
    readonly definition: {
      readonly agent: {
        readonly constraints?: readonly string[]
        readonly compliance?: { readonly safety_level?: SafetyLevel }
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
      }
      for (const { found } of subagents) {
        if (found === undefined) continue
        const before = inherited.get(found.definition_hash) ?? NOTHING_INHERITED
        const after: Inherited = {
          constraints: [...new Set([...before.constraints, ...passes.constraints])],
          level: stricter(before.level, passes.level),
        }
        if (after.constraints.length === before.constraints.length && after.level === before.level) continue
        inherited.set(found.definition_hash, after)
        changed = true
      }
    }
  }
  return inherited
}
