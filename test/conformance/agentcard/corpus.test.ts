import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, test } from 'node:test'
import type { Document } from '../../../src/document/document.ts'
import { readDocument } from '../../../src/document/read-document.ts'
import { agentCardRules } from '../../../src/spec/agentcard/agent-card.catalogue.ts'
import { parseAgentCard } from '../../../src/spec/agentcard/parse-agent-card.ts'
import { validateAgentCard } from '../../../src/spec/agentcard/validate-agent-card.ts'
import { detectKind } from '../../../src/spec/kinds.ts'

function read(file: string): Document {
  const { document } = readDocument(readFileSync(file), { file })
  assert.ok(document, `${file} can be read`)
  return document
}

const filesIn = (folder: string) => globSync(join(import.meta.dirname, folder, '*.json')).sort()
const valid = filesIn('valid')
const invalid = filesIn('invalid')
const errorsOf = (document: Document) =>
  validateAgentCard(document).filter(({ severity }) => severity === 'error')

describe('AgentCard draft 00: a corpus', () => {
  test('it is large enough', () => {
    assert.ok(valid.length >= 10 && invalid.length >= 20, `${valid.length} valid, ${invalid.length} invalid`)
  })
  for (const file of valid) {
    test(`valid/${basename(file)} is told as a card and has no error`, () => {
      const document = read(file)
      assert.deepEqual(detectKind(document.value), { kind: 'agentcard' })
      assert.deepEqual(errorsOf(document), [])
      parseAgentCard(readFileSync(file))
    })
  }
  for (const file of invalid) {
    test(`invalid/${basename(file)} breaks only its rule`, () => {
      const rules = errorsOf(read(file)).map(({ rule }) => rule)
      const [expected] = /^CARD-[\d.]+-\d+/.exec(basename(file)) ?? []
      assert.deepEqual([...new Set(rules)], [expected])
      assert.throws(() => parseAgentCard(readFileSync(file)), { name: 'WaybillError' })
    })
  }
})

test('every issue of the corpus has a hint, and its rule and code are in the catalogue', () => {
  const listed = new Map(agentCardRules.map(({ id, codes }) => [id, codes]))
  for (const file of [...valid, ...invalid]) {
    for (const { rule = '', code, hint } of [
      ...validateAgentCard(read(file)),
      ...validateAgentCard(read(file), { lenient: true }),
    ]) {
      assert.ok(listed.get(rule)?.includes(code), `${basename(file)}: ${rule} ${code}`)
      assert.ok(hint, `${basename(file)}: ${code} has a hint`)
    }
  }
})
