import { describe, test } from 'node:test'
import { trialsOf } from './attack.ts'
import { keys } from './cases/keys.ts'

describe(keys.name, () => {
  for (const [title, run] of trialsOf(keys)) test(title, run)
})
