import { describe, test } from 'node:test'
import { trialsOf } from './attack.ts'
import { extensions } from './cases/extensions.ts'

describe(extensions.name, () => {
  for (const [title, run] of trialsOf(extensions)) test(title, run)
})
