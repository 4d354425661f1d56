import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, test } from 'node:test'
import { readablePaths } from '../../../src/adapters/functions/readable-paths.ts'

describe('the paths that a module may read', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'waybill-paths-')))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const at = (name: string) => join(folder, name)
  for (const file of [
    'm.mjs',
    'part/p.mjs',
    'home/config.yaml',
    'home/m.mjs',
    'home/functions/m.mjs',
    'home/keys/k',
    'home/keys/m.mjs',
    'homes/m.mjs',
    'package.json',
    'node_modules/p/index.js',
  ]) {
    mkdirSync(dirname(at(file)), { recursive: true })
    writeFileSync(at(file), '')
  }
  symlinkSync(at('home'), at('link'))
  const packages = ['node_modules', 'package.json']
  const cases = [
    ['its folder', 'homes/m.mjs', 'home', ['homes', ...packages]],
    [
      'its folder without the home',
      'm.mjs',
      'home',
      ['homes', 'link', 'm.mjs', 'node_modules', 'package.json', 'part', ...packages],
    ],
    [
      'its folder without the home, which a link names',
      'm.mjs',
      'link',
      ['homes', 'link', 'm.mjs', 'node_modules', 'package.json', 'part', ...packages],
    ],
    [
      'its folder without keys deep in it',
      'm.mjs',
      'missing',
      [
        'home/config.yaml',
        'home/functions',
        'home/m.mjs',
        'homes',
        'link',
        'm.mjs',
        'node_modules',
        'package.json',
        'part',
        ...packages,
      ],
    ],
    ['a folder in the home', 'home/functions/m.mjs', 'home', ['home/functions', ...packages]],
    ['in the home only the module', 'home/m.mjs', 'home', ['home/m.mjs', ...packages]],
    ['among the keys only the module', 'home/keys/m.mjs', 'home', ['home/keys/m.mjs', ...packages]],
  ] as const
  for (const [name, file, home, expected] of cases)
    test(`${name}, and packages above`, () => {
      const kept = { home: at(home), closed: [at('home/keys')] }
      const own = readablePaths(at(file), kept).filter((path) => path.startsWith(folder))
      assert.deepEqual(own.toSorted(), expected.map(at).toSorted())
    })
})
