import { describe, test } from 'node:test'
import { trialsOf } from './attack.ts'
import { grantUses } from './cases/grant-uses.ts'

describe(grantUses.name, () => {
  for (const [title, run] of trialsOf(grantUses)) test(title, run)
})
