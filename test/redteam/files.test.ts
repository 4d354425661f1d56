import { describe, test } from 'node:test'
import { trialsOf } from './attack.ts'
import { files } from './cases/files.ts'

describe(files.name, { skip: process.platform === 'win32' && 'needs pipes in folders' }, () => {
  for (const [title, run] of trialsOf(files)) test(title, run)
})
