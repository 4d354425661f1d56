import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { readFileStart, readFileWithin } from '../../src/document/read-file.ts'
import { locateInside, readBeside, readInside } from '../../src/document/read-inside.ts'

function folderOf(t: TestContext): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'waybill-read-')))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const codeOf = (read: () => unknown) => {
  try {
    read()
    return 'read'
  } catch (error) {
    return (error as NodeJS.ErrnoException).code
  }
}

describe('reading a file of bounded size', { skip: process.platform === 'win32' }, () => {
  test('a file of the largest size is read, and one byte more is refused', (t) => {
    const file = join(folderOf(t), 'a')
    writeFileSync(file, 'x'.repeat(100_000))
    assert.equal(readFileWithin(file, 100_000).length, 100_000)
    assert.equal(
      codeOf(() => readFileWithin(file, 99_999)),
      'FILE_TOO_LARGE',
    )
    assert.equal(readFileStart(file, 10).toString(), 'xxxxxxxxxx')
    truncateSync(file, 2 ** 40)
    assert.equal(
      codeOf(() => readFileWithin(file, 100_000)),
      'FILE_TOO_LARGE',
    )
    truncateSync(file, 0)
    assert.equal(readFileWithin(file, 0).length, 0)
  })

  test('a file whose size is not known, such as those of /proc, is read within the limit', {
    skip: process.platform !== 'linux',
  }, () => {
    assert.match(readFileWithin('/proc/self/status', 1024 * 1024).toString(), /^Name:/)
    assert.equal(
      codeOf(() => readFileWithin('/proc/self/status', 10)),
      'FILE_TOO_LARGE',
    )
  })

  test('a pipe, a device and a folder are not read, not even to wait for them', (t) => {
    const folder = folderOf(t)
    execFileSync('mkfifo', [join(folder, 'pipe')])
    for (const accepted of ['regular', 'placed'] as const) {
      assert.equal(
        codeOf(() => readFileWithin(join(folder, 'pipe'), 10, accepted)),
        'FILE_NOT_REGULAR',
      )
      assert.equal(
        codeOf(() => readFileWithin('/dev/zero', 10, accepted)),
        'FILE_NOT_REGULAR',
      )
      assert.equal(
        codeOf(() => readFileWithin(folder, 10, accepted)),
        'EISDIR',
      )
    }
    assert.equal(
      codeOf(() => readFileWithin('/dev/zero', 10, 'given')),
      'FILE_TOO_LARGE',
    )
    assert.equal(readFileWithin('/dev/null', 10, 'given').length, 0)
    assert.equal(
      codeOf(() => readFileWithin(join(folder, 'pipe'), 10, 'given')),
      'FILE_NOT_REGULAR',
    )
  })

  test('a link that replaces the file or its folder after the path was judged is refused', (t) => {
    const root = folderOf(t)
    const outside = folderOf(t)
    for (const folder of [join(root, 'in'), outside]) {
      mkdirSync(folder, { recursive: true })
      writeFileSync(join(folder, 'a.txt'), folder)
    }
    const located = locateInside(root, 'in/a.txt')
    assert.ok(located.ok)
    assert.equal(readFileWithin(located.file, 1000, 'placed').toString(), join(root, 'in'))
    renameSync(join(root, 'in'), join(root, 'was'))
    symlinkSync(outside, join(root, 'in'))
    assert.equal(
      codeOf(() => readFileWithin(located.file, 1000, 'placed')),
      'FILE_MOVED',
    )
    rmSync(join(root, 'in'))
    mkdirSync(join(root, 'in'))
    symlinkSync(join(outside, 'a.txt'), join(root, 'in', 'a.txt'))
    assert.equal(
      codeOf(() => readFileWithin(located.file, 1000, 'placed')),
      'ELOOP',
    )
  })

  test('links inside a folder are followed, and links that lead out of it are not', (t) => {
    const root = folderOf(t)
    const outside = folderOf(t)
    writeFileSync(join(outside, 'secret.txt'), 'zebra')
    writeFileSync(join(root, 'a.txt'), 'ours')
    symlinkSync('a.txt', join(root, 'own.txt'))
    symlinkSync(join(outside, 'secret.txt'), join(root, 'out.txt'))
    symlinkSync(outside, join(root, 'folder'))
    symlinkSync(join(root, 'gone'), join(root, 'broken.txt'))
    assert.deepEqual(readInside(root, 'own.txt', 100), { ok: true, text: 'ours' })
    for (const path of [
      'out.txt',
      'folder/secret.txt',
      '../x',
      join(outside, 'secret.txt'),
      'broken.txt',
      'a\0b',
    ])
      assert.equal(readInside(root, path, 100).ok, false, path)
    assert.equal(readBeside(join(root, 'none.json'), 100), undefined)
    assert.equal(readBeside(join(root, 'own.txt'), 100)?.ok, true)
    for (const name of ['out.txt', 'broken.txt']) assert.equal(readBeside(join(root, name), 100)?.ok, false)
  })
})
