import type { CallRule } from './call-rule.ts'

/** A rule that a person made beforehand for the calls of an agent. */
export interface StandingRule {
  readonly id: string
  readonly rule: CallRule
  /** The rule in words. */
  readonly what: string
  /** Who made it. */
  readonly by: string
}

/** Whose calls they are: an agent, in one version, with tools that lead somewhere. */
export interface RuledAgent {
  readonly agent_id: string
  readonly definition_hash: string
  readonly tools: readonly { readonly name: string; readonly endpoint?: string }[]
}

export interface StandingRules {
  /** Those in force for this agent now. */
  of(agent: RuledAgent): readonly StandingRule[]
  /** Uses one; false when it is no longer in force. */
  spend(id: string): boolean
}
