import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { readDocument } from '../../src/document/read-document.ts'
import { validateAgentDefinition } from '../../src/spec/aaif/validate-agent-definition.ts'
import { KINDS } from '../../src/spec/kinds.ts'
import { fencesOf, readPage, root } from './docs-fences.ts'

const page = readPage('docs/guides/editors.md')
const listed = [...page.matchAll(/\| `([\w.-]+)`[^|]*\| `(schemas\/[^`]+)`/g)].map(([, kind, path]) => ({
  kind,
  path: path ?? '',
}))

test('docs/guides/editors.md names the schema of every kind, and each opens from the package', () => {
  const require = createRequire(join(root, 'package.json'))
  assert.deepEqual(
    listed.map(({ kind }) => kind),
    [...KINDS],
  )
  assert.deepEqual(
    listed.map(({ path }) => path).sort(),
    // A plan file is written by Waybill for scripts, and is not a kind of document.
    globSync('schemas/**/*.schema.json', { cwd: root, exclude: ['schemas/waybill/**'] }).sort(),
  )
  for (const { path } of listed) {
    const file = require.resolve(`waybill/${path}`)
    const schema = JSON.parse(readFileSync(file, 'utf8'))
    assert.ok(!/"\$ref": "(?!#)/.test(JSON.stringify(schema, null, 1)), `${path} refers to itself only`)
    new Ajv2020({ strict: false, validateFormats: false }).compile(schema)
  }
})

test('the YAML of docs/guides/editors.md is a valid definition, and one with a member $schema is not', () => {
  const [yaml] = fencesOf(page).filter(({ language }) => language === 'yaml')
  const read = readDocument(yaml?.text ?? '', { encoding: 'yaml' })
  assert.deepEqual(validateAgentDefinition(read.document ?? null), [])
  const value = { ...(read.document?.value as object), $schema: './agent.schema.json' }
  assert.deepEqual(
    validateAgentDefinition(value).map(({ code }) => code),
    ['UNKNOWN_MEMBER'],
  )
})
