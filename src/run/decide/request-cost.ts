import type { PlannedModel } from '../../plan/plan.ts'
import type { Usage } from '../state.ts'

/** Returns the cost of one request to a model in US dollars, or null if the route's price is unknown. */
export function costOf(route: PlannedModel | undefined, usage: Usage): number | null {
  if (route?.price === undefined) return null
  return (usage.input_tokens * route.price.input + usage.output_tokens * route.price.output) / 1_000_000
}
