import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '../..')

test('nothing that is ignored is tracked: a link to installed packages would replace them where it is merged', (t) => {
  // An unpacked archive has no index to look at.
  if (!existsSync(join(root, '.git'))) return t.skip('needs a work tree of git')
  const git = (...args: readonly string[]) =>
    execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  assert.equal(git('ls-files', '--cached', '--ignored', '--exclude-standard'), '')
  assert.equal(git('check-ignore', 'node_modules'), 'node_modules')
})
