import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { readPage, root } from './docs-fences.ts'

interface Binding {
  readonly what: string
  readonly code: string
  readonly file: string
  readonly title: string
}

/** The rows of the table, without its head. */
function bindings(): readonly Binding[] {
  const lines = readPage('docs/bindings.md').split('\n')
  return lines
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .map((line) => {
      const [, what = '', to = '', code = '', proof = ''] = line.split(/(?<!\\)\|/).map((cell) => cell.trim())
      const [file = '', title = ''] = proof.split(' › ')
      const bare = (text: string) => text.replaceAll('`', '').replaceAll('\\|', '|')
      return {
        what: `${what}: ${to}`,
        code: bare(code),
        file: bare(file),
        title: title.replaceAll('\\|', '|'),
      }
    })
}

describe('each binding has the test of a second legitimate party', () => {
  const all = bindings()

  test('the table has its rows, none of them twice', () => {
    assert.ok(all.length >= 50, `${all.length} rows`)
    const names = all.map(({ what }) => what)
    assert.deepEqual(
      names.filter((name, index) => names.indexOf(name) !== index),
      [],
    )
  })

  for (const { what, code, file, title } of all)
    test(what, () => {
      assert.ok(existsSync(join(root, code)), `there is no ${code}`)
      assert.ok(title.length > 5 && file.startsWith('test/'), 'the row names no test')
      const text = readFileSync(join(root, file), 'utf8').replaceAll("\\'", "'")
      assert.ok(text.includes(title), `${file} has no test "${title}"`)
    })
})
