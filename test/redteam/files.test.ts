import { after, describe, test } from 'node:test'
import { trialsOf } from './attack.ts'
import { files, processes } from './cases/files.ts'

// The commands wait for each other's processors, and some wait for the writer of a pipe.
const concurrency = 3
const skip = process.platform === 'win32' && 'needs pipes in folders'

describe(files.name, { skip, concurrency }, () => {
  after(() => processes.close())
  for (const [title, run] of trialsOf(files)) test(title, run)
})
