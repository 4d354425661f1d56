import { describe, test } from 'node:test'
import { trialsOf } from './attack.ts'
import { budgets } from './cases/budgets.ts'

describe(budgets.name, () => {
  for (const [title, run] of trialsOf(budgets)) test(title, run)
})
