import { describe, test } from 'node:test'
import { trialsOf } from './attack.ts'
import { auditKey } from './cases/audit-key.ts'

describe(auditKey.name, () => {
  for (const [title, run] of trialsOf(auditKey)) test(title, run)
})
