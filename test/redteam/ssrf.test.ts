import { describe, test } from 'node:test'
import { trialsOf } from './attack.ts'
import { ssrf } from './cases/ssrf.ts'

describe(ssrf.name, () => {
  for (const [title, run] of trialsOf(ssrf)) test(title, run)
})
