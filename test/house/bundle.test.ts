import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { bundle } from '../../scripts/package/bundle.ts'

const REQUIRE =
  "import { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)\n"

const FILES: Readonly<Record<string, string>> = {
  'tsconfig.json': '{ "compilerOptions": { "module": "nodenext" } }',
  'package.json': '{ "type": "module" }',
  'src/index.ts': `${REQUIRE}import { trace } from './deep/trace.ts'
export const late = (): readonly string[] => {
  const before = [...trace]
  const part = require('./deep/part.ts') as { loaded: () => string }
  return [...before, part.loaded(), ...trace]
}
export const old = (): unknown => (require('old') as { answer: () => number }).answer()
export const outside = (): unknown => (require('outside') as { name: string }).name
export { home } from './deep/home.ts'
export { shadowed } from './deep/shadowed.ts'
`,
  'src/other.ts':
    "export { trace } from './deep/trace.ts'\nexport const later = () => import('./deep/part.ts')\n",
  'src/deep/trace.ts': 'export const trace: string[] = []\n',
  'src/deep/part.ts':
    "import { trace } from './trace.ts'\ntrace.push('part')\nexport const loaded = () => 'loaded'\n",
  'src/deep/home.ts':
    "import { join } from 'node:path'\nexport const home = join(import.meta.dirname, '../../schemas')\n",
  'src/deep/shadowed.ts':
    "import { sep as separator } from 'node:path'\nconst process = { name: 'mine' }\nexport const shadowed = () => process.name + separator\n",
  'node_modules/old/package.json': '{ "name": "old", "main": "index.js" }',
  'node_modules/old/index.js':
    "const part = require('./part.js')\nexports.answer = function () { return this === exports ? part : 0 }\n",
  'node_modules/old/part.js': 'module.exports = 42\n',
  'node_modules/outside/package.json': '{ "name": "outside", "main": "index.js" }',
  'node_modules/outside/index.js': "exports.name = 'outside'\n",
}

describe('the bundled sources', () => {
  let root = ''
  let packages: readonly string[] = []

  function run(code: string): unknown {
    const script = `const index = await import('./lib/index.js')\nconst other = await import('./lib/other.js')\nprocess.stdout.write(JSON.stringify(${code}))`
    const args = ['--input-type=module', '-e', script]
    return JSON.parse(execFileSync(process.execPath, args, { cwd: join(root, 'out'), encoding: 'utf8' }))
  }

  before(async () => {
    root = mkdtempSync(join(tmpdir(), 'waybill bundle '))
    for (const [path, text] of Object.entries(FILES)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    const source = (path: string) => join(root, 'src', path)
    packages = await bundle({
      root,
      sources: join(root, 'src'),
      outDir: join(root, 'out/lib'),
      entries: { index: source('index.ts'), other: source('other.ts') },
      external: new Set(['outside']),
      together: [{ name: 'common', files: new Set([source('deep/trace.ts'), source('deep/home.ts')]) }],
    })
    writeFileSync(join(root, 'out/package.json'), '{ "type": "module" }')
    mkdirSync(join(root, 'out/node_modules'))
    symlinkSync('../../node_modules/outside', join(root, 'out/node_modules/outside'))
  })
  after(() => rmSync(root, { recursive: true, force: true }))

  test('load a late module at its first use, once, and synchronously', () => {
    assert.deepEqual(run('[index.late(), index.late()]'), [
      ['loaded', 'part'],
      ['part', 'loaded', 'part'],
    ])
  })

  test('share the late module with those that import it dynamically', () => {
    assert.deepEqual(run('(index.late(), await other.later(), other.trace)'), ['part'])
  })

  test('give the exports of a CommonJS package as they are', () => {
    assert.equal(run('index.old()'), 42)
    assert.deepEqual(packages, [join(root, 'node_modules/old')])
  })

  test('leave an external package to be found at run time', () => {
    assert.equal(run('index.outside()'), 'outside')
  })

  test('find the files beside them as if each module were a file of its own', () => {
    assert.equal(run('index.home'), join(root, 'out/schemas'))
  })

  test('read builtin modules where a name hides process', () => {
    assert.equal(run('index.shadowed()'), 'mine/')
  })

  test('export what the entries export, and nothing else', () => {
    assert.deepEqual(run('Object.keys(other)'), ['later', 'trace'])
    assert.deepEqual(run('Object.keys(index)'), ['home', 'late', 'old', 'outside', 'shadowed'])
  })
})
