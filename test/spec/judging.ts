import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, test } from 'node:test'
import { randomNumbers } from '../../scripts/random-numbers.ts'
import { Document } from '../../src/document/document.ts'
import type { Issue } from '../../src/document/issue.ts'
import type { Json } from '../../src/document/json.ts'
import { readDocument } from '../../src/document/read-document.ts'
import { detectKind, type Kind, type Validate } from '../../src/spec/kinds.ts'
import type { RuleEntry } from '../../src/spec/rule-entry.ts'
import { mutate } from './aaif/mutations.ts'

const GRAVITY = { info: 0, warning: 1, error: 2 } as const

const errorsOf = (issues: readonly Issue[]) => issues.filter(({ severity }) => severity === 'error')
const rulesOf = (issues: readonly Issue[]) => [...new Set(issues.map(({ rule }) => rule))]

/** Each rule's examples follow it and break only it. */
export function testCatalogue(rules: readonly RuleEntry[], validate: Validate): void {
  test('each rule is in the catalogue once', () => {
    assert.equal(new Set(rules.map(({ id }) => id)).size, rules.length)
  })
  for (const entry of rules) {
    test(`the catalogue's examples of ${entry.id} follow it and break only it`, () => {
      assert.deepEqual(
        validate(entry.right).filter(({ rule }) => rule === entry.id),
        [],
      )
      const issues = validate(entry.wrong)
      assert.ok(
        issues.some(({ rule, code }) => rule === entry.id && entry.codes.includes(code)),
        JSON.stringify(issues),
      )
      assert.deepEqual(
        rulesOf(errorsOf(issues)).filter((rule) => rule !== entry.id),
        [],
      )
    })
  }
}

/** Tests the documents in the folders `valid` and `invalid` of a test, and mutations of them. */
export function testCorpus(
  folder: string,
  kind: Kind,
  rules: readonly RuleEntry[],
  validate: Validate,
): void {
  const filesIn = (name: string) => globSync(join(folder, name, '*.json')).sort()
  const [valid, invalid] = [filesIn('valid'), filesIn('invalid')]
  const listed = new Map(rules.map((entry) => [entry.id, entry]))

  const assertListed = (issues: readonly Issue[], about: string) => {
    for (const { rule = '', code, hint, severity } of issues) {
      const entry = listed.get(rule)
      assert.ok(entry, `${about}: ${rule} is not in the catalogue`)
      assert.ok(entry.codes.includes(code), `${about}: ${rule} ${code} is not in the catalogue`)
      assert.ok(
        GRAVITY[severity] <= GRAVITY[entry.severity],
        `${about}: ${rule} ${code} is more severe than the catalogue lists`,
      )
      assert.ok(hint, `${about}: ${code} has no hint`)
    }
  }

  describe(`the corpus of ${kind}`, () => {
    test('it is large enough', () => {
      assert.ok(
        valid.length >= 10 && invalid.length >= 20,
        `${valid.length} valid, ${invalid.length} invalid`,
      )
    })
    for (const file of valid) {
      test(`valid/${basename(file)} is detected as its kind and has no error`, () => {
        const document = read(file)
        assert.equal(detectKind(document.value)?.kind, kind)
        const issues = validate(document)
        assert.deepEqual(errorsOf(issues), [])
        assertListed(issues, file)
      })
    }
    for (const file of invalid) {
      test(`invalid/${basename(file)} breaks only its rule`, () => {
        const issues = validate(read(file))
        const [expected] = /^[A-Z]+-(?:[\d.]+|[a-z]+)-\d+/.exec(basename(file)) ?? []
        assert.deepEqual(rulesOf(errorsOf(issues)), [expected])
        assertListed(issues, file)
      })
    }
    test('validation of a mutated document gives only rules of the catalogue, and never throws', () => {
      const random = randomNumbers(20261121)
      const documents = valid.map((file) => read(file).value)
      const count = { sound: 0, refused: 0 }
      for (let round = 0; round < 3000; round++) {
        let document = documents[round % documents.length] as Json
        for (let changes = 1 + (round % 3); changes > 0; changes--) document = mutate(document, random)
        const issues = [...validate(document), ...validate(document, { authoring: true })]
        assertListed(issues, JSON.stringify(document))
        count[errorsOf(issues).length === 0 ? 'sound' : 'refused']++
      }
      assert.ok(count.sound > 100 && count.refused > 500, JSON.stringify(count))
    })
  })
}

function read(file: string): Document {
  const { document } = readDocument(readFileSync(file), { file })
  assert.ok(document instanceof Document, `${file} can be read`)
  return document
}
