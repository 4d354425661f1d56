import type { Code } from '../document/codes.ts'
import type { Severity } from '../document/issue.ts'
import type { Json } from '../document/json.ts'
import type { Kind } from './kinds.ts'

/** One rule of the catalogue: what `waybill rules ID` prints, and what every issue's `rule` refers to. */
export interface RuleEntry {
  /** The id of a requirement, or a Waybill id (`WB-…`). */
  readonly id: string
  readonly kind: Kind
  /** The severity of its issues; the highest if they differ. */
  readonly severity: Severity
  /** The codes of its issues. */
  readonly codes: readonly Code[]
  /** The rule in one sentence. */
  readonly sentence: string
  /** Its source: format and section. */
  readonly source: string
  /** The smallest complete document that follows the rule… */
  readonly right: Json
  /** …and one that breaks only this rule. A test validates both. */
  readonly wrong: Json
  /** The part of the product that enforces the rule. */
  readonly enforced: 'schema' | 'validation' | 'plan' | 'run'
}

/** Returns the anchor of a rule in `docs/rules.md`; several kinds may have a rule with the same id. */
export function anchorOf({ kind, id }: Pick<RuleEntry, 'kind' | 'id'>): string {
  return `${kind}-${id}`.toLowerCase()
}
