import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { stampOf } from '../../scripts/test-programs.ts'

test('bundled programs are out of date when a source is changed, added or removed', (t) => {
  const root = mkdtempSync(join(tmpdir(), 'waybill-programs-'))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  const write = (path: string, text: string) => {
    mkdirSync(join(root, path, '..'), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  const sources = ['package-lock.json', 'bin/main.mjs', 'schemas/a.json', 'src/deep/er/a.ts']
  for (const path of [...sources, 'test/platform/engine-worker.ts', 'docs/a.md']) write(path, '1')
  const stamps = [stampOf(root)]
  assert.equal(stampOf(root), stamps[0])
  for (const path of [...sources, 'test/platform/engine-worker.ts', 'scripts/package/bundle.ts']) {
    write(path, '22')
    stamps.push(stampOf(root))
  }
  rmSync(join(root, 'src/deep/er/a.ts'))
  stamps.push(stampOf(root))
  assert.equal(new Set(stamps).size, stamps.length)
  write('docs/a.md', '22')
  assert.equal(stampOf(root), stamps.at(-1))
})
