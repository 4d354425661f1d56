import type { Finding } from '../../../document/finding.ts'
import type { JsonObject } from '../../../document/json.ts'
import { memberOf, objectAt } from '../../loose-members.ts'
import { LANDAUER_FLOOR } from '../vocabulary.ts'

/** Warns about costs at the physical minimum, which are not an estimate (§2.6.1). */
export function* checkPricing(card: JsonObject): Iterable<Finding> {
  if (memberOf(objectAt(card, 'pricing'), 'base_cost_joules') !== LANDAUER_FLOOR) return
  yield {
    severity: 'info',
    code: 'COST_AT_FLOOR',
    pointer: '/pricing/base_cost_joules',
    message: 'this is the physical minimum, the energy of erasing one bit, and not an estimate for a call',
    hint: 'estimate the energy of a call, or remove the member',
    rule: 'CARD-2.6-03',
  }
}
