import { describe, test } from 'node:test'
import { trialsOf } from './attack.ts'
import { stripping } from './cases/stripping.ts'

describe(stripping.name, () => {
  for (const [title, run] of trialsOf(stripping)) test(title, run)
})
