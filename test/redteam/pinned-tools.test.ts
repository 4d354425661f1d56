import { describe, test } from 'node:test'
import { trialsOf } from './attack.ts'
import { pinnedTools } from './cases/pinned-tools.ts'

describe(pinnedTools.name, () => {
  for (const [title, run] of trialsOf(pinnedTools)) test(title, run)
})
