import { describe, test } from 'node:test'
import { trialsOf } from './attack.ts'
import { approvals } from './cases/approvals.ts'

describe(approvals.name, () => {
  for (const [title, run] of trialsOf(approvals)) test(title, run)
})
