import { sha256OfCanonical } from '../../document/canonical.ts'
import { defined } from '../../document/defined.ts'
import { asJson, type JsonObject } from '../../document/json.ts'
import type { CallRule } from './call-rule.ts'

/** A standing rule of a person for the calls of an agent. */
export interface StandingRule {
  readonly id: string
  readonly rule: CallRule
  /** The text of the rule. */
  readonly what: string
  /** The person who made it. */
  readonly by: string
}

/** The calling agent, its version, and the endpoints of its tools. */
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
  readonly auth?: { readonly type: string; readonly secret: string; readonly header?: string }
}

/**
 * SHA-256 (hex) of the details of a call beyond its endpoint: the method, the sign-in, and the operation of an OpenAPI
 * document or the description of its server. Absent if the endpoint alone identifies the call.
 */
export function calledHow({ method, binding, auth }: RuledTool): string | undefined {
  return method === undefined && binding === undefined && auth === undefined
    ? undefined
    : sha256OfCanonical(asJson(defined({ method, binding, auth })))
}

/** The properties of a tool that a rule records to identify the tool. */
export function placeOf(tool: RuledTool): { readonly endpoint?: string; readonly called_how?: string } {
  const called_how = calledHow(tool)
  return defined({ endpoint: tool.endpoint, called_how })
}

/** The call that a rule decides. */
export interface CallOfRule {
  readonly run_id: string
  readonly key: string
  readonly agent_id: string
  readonly tool: string
}

export interface StandingRules {
  /**
   * Returns the rules in force for this agent. They are read for each decision, so that a revoked rule no longer
   * applies.
   */
  of(agent: RuledAgent): Promise<readonly StandingRule[]>
  /** Uses a rule for a call; returns false if it is no longer in force, or may not decide this call. */
  spend(id: string, call: CallOfRule): Promise<boolean>
}
