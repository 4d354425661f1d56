import { after, describe, test } from 'node:test'
import { trialsOf } from './attack.ts'
import { exhaustion } from './cases/exhaustion.ts'
import { closeExhaustionWorld } from './exhaustion-world.ts'

after(closeExhaustionWorld)

describe(exhaustion.name, () => {
  for (const [title, run] of trialsOf(exhaustion)) test(title, run)
})
