import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fencesOf, readPage, root } from './docs-fences.ts'

/** Inside the repository, where `waybill` means this package, and outside what its own checks look at. */
const place = mkdtempSync(join(root, '.docs-snippets-'))
after(() => rmSync(place, { recursive: true, force: true }))

const snippets = fencesOf(readPage('docs/guides/library.md')).filter(({ language }) => language === 'ts')
writeFileSync(join(place, 'library.ts'), snippets.map(({ text }) => text).join('\n'))
cpSync(join(root, 'examples/parcel-clerk/clerk.yaml'), join(place, 'clerk.yaml'))

test('the program in docs/guides/library.md does what it asserts', () => {
  assert.ok(snippets.length > 5)
  const child = spawnSync(process.execPath, ['library.ts'], { cwd: place, encoding: 'utf8', timeout: 60_000 })
  assert.equal(child.status, 0, child.stderr)
})

test('the program in docs/guides/library.md has no type errors', () => {
  const config = { extends: '../tsconfig.json', files: ['library.ts'], include: [] }
  writeFileSync(join(place, 'tsconfig.json'), JSON.stringify(config))
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const child = spawnSync(process.execPath, [tsc, '-p', '.', '--pretty', 'false'], {
    cwd: place,
    encoding: 'utf8',
  })
  // What it imports is checked by the type check of the repository.
  const own = child.stdout.split('\n').filter((line) => line.startsWith('library.ts'))
  assert.deepEqual(own, [], child.stdout)
  assert.ok(child.status === 0 || child.stdout.includes('error TS'), child.stderr)
})
