import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { mutationFolders, sampleLines, scoreOf, sourcesOf } from '../../scripts/mutation-folders.ts'

const root = join(import.meta.dirname, '../..')

describe('mutation testing', () => {
  for (const { folder, tests, ...rest } of mutationFolders) {
    test(`${folder} has sources, and each pattern of its tests names a file`, () => {
      assert.ok(sourcesOf(root, { folder, tests, ...rest }).length > 0)
      for (const pattern of tests) assert.ok(globSync(pattern, { cwd: root }).length > 0, pattern)
    })
  }

  test('a seed chooses the same lines again, and another seed chooses others', () => {
    const sources = sourcesOf(root, { folder: 'policy', tests: [] })
    const sample = (seed: number) => sampleLines(root, sources, 40, seed)
    assert.deepEqual(sample(1), sample(1))
    assert.notDeepEqual(sample(1), sample(2))
    assert.equal(new Set(sample(1)).size, 30)
    for (const place of sample(1)) assert.match(place, /^src\/policy\/.+\.ts:(\d+)-\1$/)
  })

  test('a sample larger than the folder is the folder', () => {
    const sources = ['scripts/mutation-folders.ts']
    const all = sampleLines(root, sources, 1e6, 1)
    assert.deepEqual(sampleLines(root, sources, 2e6, 2), all)
    assert.ok(all.length > 20)
  })

  test('a mutant that no test executes has survived, and one that could not run does not count', () => {
    const mutants = [
      'Killed',
      'Timeout',
      'Survived',
      'NoCoverage',
      'CompileError',
      'RuntimeError',
      'Ignored',
    ].map((status, index) => ({
      fileName: join(root, 'src/a.ts'),
      location: { start: { line: index + 1, column: 2 } },
      mutatorName: 'EqualityOperator',
      replacement: 'a\n  < b',
      status,
    }))
    assert.deepEqual(scoreOf(mutants, root), {
      score: 50,
      tested: 4,
      survivors: [
        { place: 'src/a.ts:3:2', mutator: 'EqualityOperator', replacement: 'a < b' },
        { place: 'src/a.ts:4:2', mutator: 'EqualityOperator, not executed by a test', replacement: 'a < b' },
      ],
    })
    assert.equal(scoreOf([], root).score, 100)
  })
})
