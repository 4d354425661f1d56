import type { Finding } from '../../document/finding.ts'
import type { AgentDefinition } from '../../spec/aaif/generated/agent.ts'
import type { PlatformManifest } from '../../spec/aaif/generated/manifest.ts'
import type { SafetyLevel } from '../plan.ts'
import { ownCapabilities } from './advertised.ts'
import { type Need, needsOf } from './needs-of.ts'

/** The result of a negotiation: whether a platform meets each need of an agent (AAIF §7). Needs no network access. */
export interface Negotiation {
  /** `accept_degraded`: the agent can be dispatched, but the needs in `issues` are not met. */
  readonly verdict: 'accept' | 'accept_degraded' | 'reject'
  readonly safety_level: SafetyLevel
  /** Whether the rejection must be recorded in the audit log: at safety level regulated (AAIF-7-10). */
  readonly must_be_audited: boolean
  readonly needs: readonly Need[]
  /** Names of the unmet needs that affect the verdict. */
  readonly unmet: readonly string[]
  /** One finding for each unmet need: an error if it causes the rejection, a warning if it only degrades. */
  readonly issues: readonly Finding[]
}

export interface NegotiateOptions {
  /** Capabilities advertised outside the manifest, such as `supported.capabilities` of the conformance report. */
  readonly advertised?: readonly string[]
}

/**
 * Compares the needs of a definition with the capabilities that a manifest advertises. Below safety level strict, the
 * agent is accepted with a warning for each unmet need; at strict and regulated it is rejected.
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
      ? 'choose a platform that offers it, or remove the requirement from the definition'
      : 'choose a platform that offers it, or accept that it is missing',
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
  if (weight === 'binding')
    return 'this is an obligation to third parties, which applies at every safety level'
  switch (level) {
    case 'minimal':
      return 'the agent runs without it'
    case 'standard':
      return 'the agent is imported, and features that depend on it are disabled'
    case 'strict':
      return 'at safety_level strict the agent is rejected'
    case 'regulated':
      return 'at safety_level regulated the agent is rejected, and the rejection must be audited'
  }
}
