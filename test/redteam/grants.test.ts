import { describe, test } from 'node:test'
import { trialsOf } from './attack.ts'
import { grants } from './cases/grants.ts'

describe(grants.name, () => {
  for (const [title, run] of trialsOf(grants)) test(title, run)
})
