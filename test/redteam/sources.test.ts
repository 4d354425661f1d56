import { describe, test } from 'node:test'
import { trialsOf } from './attack.ts'
import { sources } from './cases/sources.ts'

describe(sources.name, () => {
  for (const [title, run] of trialsOf(sources)) test(title, run)
})
