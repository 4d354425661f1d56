import { describe, test } from 'node:test'
import { trialsOf } from './attack.ts'
import { disguise } from './cases/disguise.ts'

describe(disguise.name, () => {
  for (const [title, run] of trialsOf(disguise)) test(title, run)
})
