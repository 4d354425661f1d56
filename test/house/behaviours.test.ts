import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'

const root = join(import.meta.dirname, '../..')

/** The rows of the table in docs/architecture.md: behaviour, file, exported name. */
const ROWS = [
  ...readFileSync(join(root, 'docs/architecture.md'), 'utf8').matchAll(
    /^\| ([^|]+?) +\| `(src\/[^`]+\.ts)` +\| `(\w+)` +\|$/gm,
  ),
].map(([, behaviour = '', file = '', name = '']) => ({ behaviour, file, name }))

describe('docs/architecture.md leads to each behaviour', () => {
  test('it lists at least twenty, each once', () => {
    assert.ok(ROWS.length >= 20, `${ROWS.length} rows`)
    assert.equal(new Set(ROWS.map(({ file, name }) => `${file} ${name}`)).size, ROWS.length)
  })

  for (const { behaviour, file, name } of ROWS) {
    test(`${behaviour}: ${name} in ${file}`, () => {
      const source = readFileSync(join(root, file), 'utf8')
      assert.match(source, new RegExp(`^export (?:async )?(?:function|class) ${name}\\b`, 'm'))
    })
  }
})
