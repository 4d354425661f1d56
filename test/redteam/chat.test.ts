import { describe, test } from 'node:test'
import { trialsOf } from './attack.ts'
import { chat } from './cases/chat.ts'

describe(chat.name, () => {
  for (const [title, run] of trialsOf(chat)) test(title, run)
})
