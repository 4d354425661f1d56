import { describe, test } from 'node:test'
import { trialsOf } from './attack.ts'
import { watched } from './cases/watch.ts'

describe(watched.name, () => {
  for (const [title, run] of trialsOf(watched)) test(title, run)
})
