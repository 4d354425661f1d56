import { describe, test } from 'node:test'
import { trialsOf } from './attack.ts'
import { rebinding } from './cases/rebinding.ts'

describe(rebinding.name, () => {
  for (const [title, run] of trialsOf(rebinding)) test(title, run)
})
