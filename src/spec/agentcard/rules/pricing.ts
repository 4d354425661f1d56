import type { Finding } from '../../../document/finding.ts'
import type { JsonObject } from '../../../document/json.ts'
import { memberOf, objectAt } from '../../loose-members.ts'
import { LANDAUER_FLOOR } from '../vocabulary.ts'

/** The floor is what one bit costs: an agent that claims it has not estimated anything (§2.6.1). */
export function* checkPricing(card: JsonObject): Iterable<Finding> {
  if (memberOf(objectAt(card, 'pricing'), 'base_cost_joules') !== LANDAUER_FLOOR) return
  yield {
    severity: 'info',
    code: 'COST_AT_FLOOR',
    pointer: '/pricing/base_cost_joules',
    message: 'this is the least that is possible, the energy of erasing one bit, and no estimate of a call',
    hint: 'estimate what a call really uses, or leave it out',
    rule: 'CARD-2.6-03',
  }
}
