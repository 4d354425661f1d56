import { describe, test } from 'node:test'
import { trialsOf } from './attack.ts'
import { reviewedPlans } from './cases/reviewed-plans.ts'

describe(reviewedPlans.name, () => {
  for (const [title, run] of trialsOf(reviewedPlans)) test(title, run)
})
