import { describe, test } from 'node:test'
import { trialsOf } from './attack.ts'
import { injection } from './cases/injection.ts'

describe(injection.name, () => {
  for (const [title, run] of trialsOf(injection)) test(title, run)
})
