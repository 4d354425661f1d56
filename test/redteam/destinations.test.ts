import { describe, test } from 'node:test'
import { trialsOf } from './attack.ts'
import { destinations } from './cases/destinations.ts'

describe(destinations.name, () => {
  for (const [title, run] of trialsOf(destinations)) test(title, run)
})
