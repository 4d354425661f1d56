import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fuzzDocuments } from '../../scripts/fuzz-documents.ts'
import { randomNumbers } from '../../scripts/random-numbers.ts'
import type { Encoding } from '../../src/document/document.ts'
import { encodeDocument } from '../../src/document/encode-document.ts'
import type { Json, JsonObject } from '../../src/document/json.ts'
import { fromPointer } from '../../src/document/json-pointer.ts'
import { readDocument } from '../../src/document/read-document.ts'
import { readLines } from '../../src/document/read-lines.ts'
import { KINDS, type Kind } from '../../src/spec/kinds.ts'
import { validatorOf } from '../../src/spec/validator-of.ts'
import { exampleOf } from '../../src/testing/example-value.ts'
import { mutate } from './aaif/mutations.ts'

const root = join(import.meta.dirname, '../..')
const ENCODINGS: readonly Encoding[] = ['json', 'yaml', 'cbor', 'msgpack']

test('3,000 mutated documents of every kind and encoding: no crash, each under a second, never laxer than the published schema', () => {
  const reference = join(root, process.env.WAYBILL_TEST_DATA ?? '../shared')
  const { faults, valid, refused, unreadable } = fuzzDocuments({ count: 3000, seed: 20261121, reference })
  assert.deepEqual(faults, [])
  // All three outcomes occur often enough to be significant.
  assert.ok(valid > 150 && refused > 500 && unreadable > 500, JSON.stringify({ valid, refused, unreadable }))
})

const SCHEMAS: Readonly<Partial<Record<Kind, string>>> = {
  'aaif.agent': 'aaif/agent',
  'aaif.state': 'aaif/state',
  'aaif.manifest': 'aaif/manifest',
  'aaif.conformance-report': 'aaif/conformance-report',
  'aaif.registry': 'aaif/registry',
  agentcard: 'agentcard/agent-card',
  aah: 'aah/artifact-envelope',
  'iap.task': 'iap/task',
  'iap.result': 'iap/result',
}

describe('valid documents are unchanged after writing and reading', () => {
  for (const kind of KINDS) {
    test(`${kind}, in four encodings`, () => {
      const random = randomNumbers(20261121)
      const samples = samplesOf(kind)
      const documents = [...samples, ...made(kind, samples), ...mutated(kind, samples, random)]
      assert.ok(documents.length > samples.length + 20, `${documents.length} documents`)
      for (const document of documents) {
        for (const encoding of ENCODINGS) {
          const read = readDocument(encodeDocument(document, encoding), { encoding })
          // Equal data, with members in the same order.
          assert.equal(JSON.stringify(read.document?.value), JSON.stringify(document), encoding)
          assert.deepEqual(codesOf(kind, read.document?.value ?? null), codesOf(kind, document))
        }
        if (kind !== 'aaif.handoff-stream') continue
        const lines = (document as readonly Json[]).map((line) => `${JSON.stringify(line)}\n`).join('')
        assert.equal(JSON.stringify(readLines(lines).document?.value), JSON.stringify(document))
      }
    })
  }
})

const codesOf = (kind: Kind, value: Json) =>
  validatorOf(kind)(value).map(({ code, pointer }) => `${code} ${pointer}`)
const errorsOf = (kind: Kind, value: Json) =>
  validatorOf(kind)(value).filter(({ severity }) => severity === 'error')

function samplesOf(kind: Kind): readonly Json[] {
  return globSync(`test/conformance/${kind}/valid/*`, { cwd: root })
    .sort()
    .map((file) => {
      const bytes = readFileSync(join(root, file))
      const read = kind === 'aaif.handoff-stream' ? readLines(bytes) : readDocument(bytes, { file })
      return read.document?.value ?? assert.fail(file)
    })
}

/** Generated from the published schema; values that the other rules refuse are copied from a sample, or removed. */
function made(kind: Kind, samples: readonly Json[]): readonly Json[] {
  const name = SCHEMAS[kind]
  if (name === undefined) return []
  const schema = JSON.parse(readFileSync(join(root, `schemas/${name}.schema.json`), 'utf8')) as JsonObject
  const documents = Array.from({ length: 6 }, (_, seed) => repaired(kind, exampleOf(schema, seed), samples))
  const valid = documents.filter((document) => errorsOf(kind, document).length === 0)
  assert.ok(valid.length >= 5, `${kind}: ${valid.length} of 6 generated documents are valid`)
  return valid
}

function repaired(kind: Kind, document: Json, samples: readonly Json[]): Json {
  const tried = new Set<string>()
  for (let round = 0; round < 60; round++) {
    const [error] = errorsOf(kind, document)
    if (error === undefined || error.pointer === '') return document
    const steps = fromPointer(error.pointer)
    // A value that cannot be corrected is removed with its parent.
    while (tried.has(steps.join('/')) && steps.length > 1) steps.pop()
    tried.add(steps.join('/'))
    const pointer = `/${steps.join('/')}`
    const last = steps.pop() ?? ''
    // biome-ignore lint/suspicious/noExplicitAny: a document that is changed
    const owner = steps.reduce((value, step) => value?.[step], document as any)
    if (owner === null || typeof owner !== 'object') return document
    const known = samples.map((sample) => at(sample, pointer)).find((value) => value !== undefined)
    if (Array.isArray(owner)) owner.splice(Number(last), 1)
    else if (known !== undefined && JSON.stringify(known) !== JSON.stringify(owner[last])) owner[last] = known
    else delete owner[last]
  }
  return document
}

function at(value: Json, pointer: string): Json | undefined {
  // biome-ignore lint/suspicious/noExplicitAny: a walk through data
  return fromPointer(pointer).reduce((inner, step) => inner?.[step], value as any)
}

function mutated(kind: Kind, samples: readonly Json[], random: () => number): readonly Json[] {
  return Array.from({ length: 120 }, (_, round) => {
    let document = samples[round % samples.length] as Json
    if (document === null || typeof document !== 'object') return null
    for (let changes = 1 + (round % 2); changes > 0; changes--) document = mutate(document, random)
    return document
  }).filter(
    (document) => document !== null && typeof document === 'object' && errorsOf(kind, document).length === 0,
  )
}
