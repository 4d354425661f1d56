import { describe, test } from 'node:test'
import { trialsOf } from './attack.ts'
import { audit } from './cases/audit.ts'

describe(audit.name, () => {
  for (const [title, run] of trialsOf(audit)) test(title, run)
})
