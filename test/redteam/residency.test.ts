import { describe, test } from 'node:test'
import { trialsOf } from './attack.ts'
import { residency } from './cases/residency.ts'

describe(residency.name, () => {
  for (const [title, run] of trialsOf(residency)) test(title, run)
})
