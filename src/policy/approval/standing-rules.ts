import { sha256OfCanonical } from '../../document/canonical.ts'
import { defined } from '../../document/defined.ts'
import type { JsonObject } from '../../document/json.ts'
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
  readonly tools: readonly RuledTool[]
}

export interface RuledTool {
  readonly name: string
  readonly endpoint?: string
  readonly method?: string
  readonly binding?: JsonObject
}

/**
 * SHA-256 (hex) of how a tool is called behind its endpoint: the method, and the operation of an OpenAPI document or
 * what else its server said. Absent when there is nothing more to say than the endpoint.
 */
export function calledHow({ method, binding }: RuledTool): string | undefined {
  return method === undefined && binding === undefined
    ? undefined
    : sha256OfCanonical(defined({ method, binding }))
}

/** What a rule for a tool notes of it, to know it again. */
export function placeOf(tool: RuledTool): { readonly endpoint?: string; readonly called_how?: string } {
  const called_how = calledHow(tool)
  return defined({ endpoint: tool.endpoint, called_how })
}

export interface StandingRules {
  /** Those in force for this agent now. They are read for each question: a revoked rule no longer counts. */
  of(agent: RuledAgent): Promise<readonly StandingRule[]>
  /** Uses one; false when it is no longer in force. */
  spend(id: string): Promise<boolean>
}
