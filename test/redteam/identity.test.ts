import { describe, test } from 'node:test'
import { trialsOf } from './attack.ts'
import { identity } from './cases/identity.ts'

describe(identity.name, () => {
  for (const [title, run] of trialsOf(identity)) test(title, run)
})
