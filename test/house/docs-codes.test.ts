import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { firstCells, readPage, root } from './docs-fences.ts'

/** Quoted words in capitals that are no codes of ours: variables of others, and errors of Node and its libraries. */
const FOREIGN =
  /_API_KEY$|^(EAI_AGAIN|UND_ERR_\w+|ERR_\w+|CERT_\w+|DEPTH_ZERO\w*|SELF_SIGNED\w*|UNABLE_TO\w*|NO_COLOR|CI)$/

/** Where a word without an underscore is a code all the same. */
const IN_CODE_POSITION =
  /(?:WaybillError\(|\b(?:usage|fail|failed|refuse|deny)\(|\bcode: |(?:Model|Tool)Failure\(\s*)(?:'[a-z_]+',\s*)?'([A-Z][A-Z0-9]{2,})'/g

/** Every code in the sources, with a file that gives it. */
function codesInSources(): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const file of globSync('src/**/*.ts', { cwd: root }).sort()) {
    // Generated files and the rule catalogues repeat the codes of others.
    if (/\/generated\/|catalogue/.test(file)) continue
    const source = readFileSync(join(root, file), 'utf8')
    const code = source.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
    for (const [, word = ''] of code.matchAll(/'([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)'/g)) found.set(word, file)
    for (const [, word = ''] of code.matchAll(IN_CODE_POSITION)) found.set(word, file)
  }
  return new Map([...found].filter(([word]) => !FOREIGN.test(word)))
}

const listed = firstCells(readPage('docs/codes.md'))

test('docs/codes.md lists every code that the product can give', () => {
  const missing = [...codesInSources()].filter(([code]) => !listed.includes(code))
  assert.deepEqual(
    missing.map(([code, file]) => `${code} (${file})`),
    [],
    'say in docs/codes.md what these mean and what to do; a word that is no code goes into FOREIGN of this test',
  )
})

test('docs/codes.md lists no code that is gone, and none twice', () => {
  const codes = codesInSources()
  assert.deepEqual(
    listed.filter((code) => !codes.has(code)),
    [],
  )
  assert.deepEqual(
    listed.filter((code, index) => listed.indexOf(code) !== index),
    [],
  )
})

test('the search for codes sees those without an underscore and leaves out the words of others', () => {
  const codes = codesInSources()
  for (const code of [
    'TIMEOUT',
    'USAGE',
    'INTERNAL',
    'CANCELLED',
    'DEGRADED',
    'NO_ROUTE',
    'ENDPOINT_PLAIN_HTTP',
  ])
    assert.ok(codes.has(code), code)
  for (const word of ['OPENAI_API_KEY', 'EAI_AGAIN', 'ENOENT', 'POST', 'SIGINT'])
    assert.ok(!codes.has(word), word)
})
