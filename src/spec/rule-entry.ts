import type { Code } from '../document/codes.ts'
import type { Severity } from '../document/issue.ts'
import type { Json } from '../document/json.ts'
import type { Kind } from './kinds.ts'

/** One rule of the catalogue: what `waybill rules ID` prints, and what every issue's `rule` refers to. */
export interface RuleEntry {
  /** A requirement's id where one fits, else one of ours (`WB-…`). */
  readonly id: string
  readonly kind: Kind
  /** The severity of its issues; the gravest when they differ. */
  readonly severity: Severity
  /** The codes of the issues that it gives. */
  readonly codes: readonly Code[]
  /** The rule in one sentence of our own. */
  readonly sentence: string
  /** Where in the text it stands: format and section. */
  readonly source: string
  /** A whole document, as small as it can be, that keeps the rule… */
  readonly right: Json
  /** …and one that breaks this rule and no other. A test validates both. */
  readonly wrong: Json
  /** Which part of the product holds it. */
  readonly enforced: 'schema' | 'validation' | 'plan' | 'run'
}

/** The anchor of a rule in `docs/rules.md`: the same id may be a rule of several kinds. */
export function anchorOf({ kind, id }: Pick<RuleEntry, 'kind' | 'id'>): string {
  return `${kind}-${id}`.toLowerCase()
}
