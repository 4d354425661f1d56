import { describe, test } from 'node:test'
import { trialsOf } from './attack.ts'
import { bodies } from './cases/bodies.ts'

describe(bodies.name, () => {
  for (const [title, run] of trialsOf(bodies)) test(title, run)
})
