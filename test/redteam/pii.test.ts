import { describe, test } from 'node:test'
import { trialsOf } from './attack.ts'
import { pii } from './cases/pii.ts'

describe(pii.name, () => {
  for (const [title, run] of trialsOf(pii)) test(title, run)
})
