import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { root } from '../house/docs-fences.ts'

const source = readFileSync(join(import.meta.dirname, 'tool.types.ts'), 'utf8')
const MARK = /^\s*\/\/ @ts-expect-error: .*\n/gm

/** Compiles a program that uses the library. @returns the errors in the program itself */
function errorsOf(text: string): readonly string[] {
  // Inside the repository, where `waybill` means this package.
  const place = mkdtempSync(join(root, '.library-types-'))
  try {
    writeFileSync(join(place, 'uses.ts'), text)
    const config = { extends: '../tsconfig.json', files: ['uses.ts'], include: [] }
    writeFileSync(join(place, 'tsconfig.json'), JSON.stringify(config))
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    const child = spawnSync(process.execPath, [tsc, '-p', '.', '--pretty', 'false'], {
      cwd: place,
      encoding: 'utf8',
    })
    assert.ok(child.status === 0 || child.stdout.includes('error TS'), child.stderr)
    return child.stdout.split('\n').filter((line) => line.startsWith('uses.ts'))
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

describe('the types of the library', () => {
  test('accept each right use, infer arguments, and refuse each wrong use', () => {
    assert.deepEqual(errorsOf(source), [])
  })

  test('each refused use is one error', () => {
    const marks = source.match(MARK)?.length ?? 0
    assert.ok(marks >= 12)
    const errors = errorsOf(source.replaceAll(MARK, ''))
    const lines = new Set(errors.map((error) => error.replace(/^uses\.ts\((\d+),.*$/, '$1')))
    assert.equal(lines.size, marks, errors.join('\n'))
  })

  test('an inference that differs is an error', () => {
    const wrong = source.replace('readonly whole?: number\n', 'readonly whole?: string\n')
    assert.notEqual(wrong, source)
    assert.equal(errorsOf(wrong).length, 1)
  })
})
