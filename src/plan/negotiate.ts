import type { Finding } from '../document/finding.ts'
import type { AgentDefinition } from '../spec/aaif/generated/agent.ts'
import type { PlatformManifest } from '../spec/aaif/generated/manifest.ts'
import { ownCapabilities } from './negotiation/advertised.ts'
import { type Need, needsOf } from './negotiation/needs-of.ts'
import type { SafetyLevel } from './plan.ts'

/** Whether a platform can take an agent, need by need (AAIF §7). Nothing is sent anywhere to find out. */
export interface Negotiation {
  /** `accept_degraded`: it can be dispatched, and what `issues` names will not work there. */
  readonly verdict: 'accept' | 'accept_degraded' | 'reject'
  readonly safety_level: SafetyLevel
  /** At regulated whoever rejects writes it into the audit log (AAIF-7-10). */
  readonly must_be_audited: boolean
  readonly needs: readonly Need[]
  /** Names of the needs that decide and are not met. */
  readonly unmet: readonly string[]
  /** One for each unmet need, naming it: an error when it rejects, a warning when it degrades. */
  readonly issues: readonly Finding[]
}

export interface NegotiateOptions {
  /** What the platform advertises elsewhere, such as in `supported.capabilities` of its conformance report. */
  readonly advertised?: readonly string[]
}

/**
 * Holds what a definition needs against what a platform's manifest advertises. Below strict the agent goes ahead
 * without what is missing, with a warning for each; at strict and regulated it is rejected, with every unmet need named.
 */
export function negotiate(
  definition: AgentDefinition,
  manifest: PlatformManifest,
  { advertised = [] }: NegotiateOptions = {},
): Negotiation {
  const safety_level = definition.agent.compliance?.safety_level ?? 'standard'
  const needs = needsOf(definition, manifest, new Set([...advertised, ...ownCapabilities(manifest)]))
  const unmet = needs.filter(({ met, weight }) => !met && weight !== 'advice')
  const strict = safety_level === 'strict' || safety_level === 'regulated'
  const rejects = unmet.some(({ weight }) => strict || weight === 'binding')
  return {
    verdict: unmet.length === 0 ? 'accept' : rejects ? 'reject' : 'accept_degraded',
    safety_level,
    must_be_audited: rejects && safety_level === 'regulated',
    needs,
    unmet: unmet.map(({ need }) => need),
    issues: unmet.map((need) => issueOf(need, safety_level, strict)),
  }
}

function issueOf({ need, how, pointer, weight, rule }: Need, level: SafetyLevel, strict: boolean): Finding {
  const rejects = strict || weight === 'binding'
  return {
    severity: rejects ? 'error' : 'warning',
    code: 'CAPABILITY_UNMET',
    pointer,
    message: `the platform does not offer ${need}: ${how}; ${outcome(level, weight)}`,
    hint: rejects
      ? 'choose a platform that offers it; what an agent requires is not dropped in passing'
      : 'choose a platform that offers it, or do without',
    rule: weight === 'binding' ? rule : RULES[level],
  }
}

const RULES = {
  minimal: 'AAIF-7-06',
  standard: 'AAIF-7-07',
  strict: 'AAIF-7-08',
  regulated: 'AAIF-7-09',
} as const

function outcome(level: SafetyLevel, weight: Need['weight']): string {
  if (weight === 'binding') return 'that is a promise to others, which no safety level waives'
  switch (level) {
    case 'minimal':
      return 'the agent goes on without it'
    case 'standard':
      return 'the agent is imported, and what depends on it is disabled'
    case 'strict':
      return 'at safety_level strict the agent is rejected'
    case 'regulated':
      return 'at safety_level regulated the agent is rejected, and the rejection must be audited'
  }
}
