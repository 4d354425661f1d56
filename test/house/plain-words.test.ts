import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { poorWordsIn } from '../../scripts/plain-words.ts'

const root = join(import.meta.dirname, '../..')

function wordsOf(path: string, text: string): readonly string[] {
  return poorWordsIn(path, text).map(({ line, words }) => `${line} ${words}`)
}

describe('poor words are found', () => {
  test('in comments, also across their lines, and in strings', () => {
    const code = [
      '// The run goes',
      '// on later.',
      '/**',
      ' * It is no',
      ' * tool, and `nobody` knows.',
      ' */',
      `const text = 'ask whoever' + "is none of them"`,
    ].join('\n')
    assert.deepEqual(wordsOf('src/a.ts', code), ['1 goes on', '4 is no', '7 whoever', '7 is none'])
  })

  test('in templates, not in their values', () => {
    const code = 'const a = `it lies $' + '{b ? `nobody $' + "{{ lies }}` : 'stands'} heard`"
    assert.deepEqual(wordsOf('src/a.ts', code), ['1 lies', '1 nobody', '1 stands', '1 heard'])
  })

  test('in names, by their humps', () => {
    assert.deepEqual(wordsOf('src/a.ts', 'const untold = toldBy(isHeard, x.nobody)'), [
      '1 told',
      '1 Heard',
      '1 nobody',
    ])
  })

  test('in titles of tests, not in the other strings there', () => {
    const code = `describe('nobody', () => { test.skip(\`is told \${a}\`, () => { assert.equal(a, 'whoever') }) })`
    assert.deepEqual(wordsOf('test/a.test.ts', code), ['1 nobody', '1 told'])
  })

  test('in members of test tables that become titles', () => {
    const code = `const cases = [{ rule: 'it lies', input: 'whoever' }, { attack: 'is told', body: 'nobody' }]`
    assert.deepEqual(wordsOf('test/a.test.ts', code), ['1 lies', '1 told'])
  })

  test('in pages, not in their code and links', () => {
    const page = 'It stands [here](lies.md). `told`\n\n```ts\nnobody()\n```\n\nWhoever runs it.\n'
    assert.deepEqual(wordsOf('docs/a.md', page), ['1 stands', '7 Whoever'])
  })

  test('in the newest part of the changelog only', () => {
    const page = '# Changelog\n\n## Unreleased\n\nIt lies.\n\n## 0.1.0\n\nIt stands.\n'
    assert.deepEqual(wordsOf('CHANGELOG.md', page), ['5 lies'])
  })
})

describe('good words pass', () => {
  test('that only look like poor ones', () => {
    const comment =
      '// It is no longer open, there is no tool, the answer is no; "x" stands for y, standing grants, go on record.'
    assert.deepEqual(wordsOf('src/a.ts', comment), [])
  })

  test('after a quote in a regular expression, and after a division', () => {
    const code = "const a = /['`]/.test(b) ? c / d : f(/[/']/g) // it lies\nconst stands = 4 / 2 / 1"
    assert.deepEqual(wordsOf('src/a.ts', code), ['1 lies'])
  })

  test('on a line that is marked', () => {
    assert.deepEqual(wordsOf('src/a.ts', "const said = 'nobody' // words-ok: an answer of a model"), [])
  })
})

describe('the command', () => {
  test('names file, line, word and remedy, and fails', (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'waybill-words-'))
    t.after(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'a.ts'), '\n// Whoever asks.\n')
    const { status, stdout } = spawnSync(process.execPath, ['scripts/check-words.ts', folder], {
      cwd: root,
      encoding: 'utf8',
    })
    assert.equal(stdout, `${folder}/a.ts:2: "Whoever": write the noun, for example "the caller"\n`)
    assert.equal(status, 1)
  })

  test('passes for the folders that are held to the rule', () => {
    const { status, stdout } = spawnSync(process.execPath, ['scripts/check-words.ts'], {
      cwd: root,
      encoding: 'utf8',
    })
    assert.equal(stdout, '')
    assert.equal(status, 0)
  })
})
