import { describe, test } from 'node:test'
import { trialsOf } from './attack.ts'
import { judge } from './cases/judge.ts'

describe(judge.name, () => {
  for (const [title, run] of trialsOf(judge)) test(title, run)
})
