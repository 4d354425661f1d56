import { describe, test } from 'node:test'
import { trialsOf } from './attack.ts'
import { secrets } from './cases/secrets.ts'

describe(secrets.name, () => {
  for (const [title, run] of trialsOf(secrets)) test(title, run)
})
