import { describe, test } from 'node:test'
import { trialsOf } from './attack.ts'
import { beyond } from './cases/beyond.ts'

describe(beyond.name, () => {
  for (const [title, run] of trialsOf(beyond)) test(title, run)
})
