import type { Code } from '../../document/codes.ts'
import type { Degradation } from '../plan.ts'

/**
 * A feature that the definition asks for and this host does not have.
 * `degrade`: at strict and regulated the agent is refused; at lower levels it runs without the feature (AAIF §7).
 * `refuse`: running without it would break a promise that the definition makes to others, so every level refuses it.
 * `note`: it does not change what the agent does.
 */
export interface Unmet extends Degradation {
  /** The code of the refusal; absent: `FEATURE_UNMET`. */
  readonly code?: Code
  readonly hint?: string
  readonly weight: 'degrade' | 'refuse' | 'note'
}
