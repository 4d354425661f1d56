import { after, describe, test } from 'node:test'
import { noCertificates } from '../adapters/tls-front.ts'
import { trialsOf } from './attack.ts'
import { moving } from './cases/moving.ts'
import { closeMovingWorld } from './moving-world.ts'

after(closeMovingWorld)

describe(moving.name, { skip: noCertificates }, () => {
  for (const [title, run] of trialsOf(moving)) test(title, run)
})
