import { after, describe, test } from 'node:test'
import { trialsOf } from './attack.ts'
import { members } from './cases/members.ts'
import { closeMemberWorld } from './member-world.ts'

after(closeMemberWorld)

describe(members.name, () => {
  for (const [title, run] of trialsOf(members)) test(title, run)
})
