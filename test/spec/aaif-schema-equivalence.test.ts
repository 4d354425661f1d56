import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { randomNumbers } from '../../scripts/random-numbers.ts'
import type { Json } from '../../src/document/json.ts'
import { validate as validateReport } from '../../src/spec/aaif/generated/conformance-report.validate.js'
import { validate as validateManifest } from '../../src/spec/aaif/generated/manifest.validate.js'
import { validate as validateRegistry } from '../../src/spec/aaif/generated/registry.validate.js'
import { validate as validateState } from '../../src/spec/aaif/generated/state.validate.js'
import { mutate } from './aaif/mutations.ts'

const reference = `${process.env.WAYBILL_TEST_DATA ?? '../shared'}/reference/aaif`
const corpus = join(import.meta.dirname, '../conformance')

const KINDS = [
  ['aaif.state', validateState, 'schema/agent-state.schema.json'],
  ['aaif.manifest', validateManifest, 'schema/platform-manifest.schema.json'],
  ['aaif.conformance-report', validateReport, 'schema/conformance-report.schema.json'],
  ['aaif.registry', validateRegistry, 'registries/registry.schema.json'],
] as const

type Verdict = (value: unknown) => boolean

function published(path: string): ValidateFunction {
  const ajv = new Ajv2020({ ownProperties: true, strict: false, validateFormats: false })
  return ajv.compile(JSON.parse(readFileSync(join(reference, path), 'utf8')))
}

/** Documents of one kind: the valid and invalid corpus, without scalars. */
function samplesOf(kind: string): Json[] {
  return globSync(`${kind}/*/*.json`, { cwd: corpus })
    .sort()
    .map((file) => JSON.parse(readFileSync(join(corpus, file), 'utf8')))
    .filter((document) => typeof document === 'object')
}

/** Compares two validators on mutated samples; no difference is intended. */
function compare(kind: string, one: Verdict, other: Verdict, rounds: number) {
  const random = randomNumbers(20261121)
  const samples = samplesOf(kind)
  const count = { accepted: 0, refused: 0, different: [] as Json[] }
  for (let round = 0; round < rounds; round++) {
    let document = samples[round % samples.length] as Json
    for (let changes = round % 3; changes > 0; changes--) document = mutate(document, random)
    const verdict = one(document)
    if (verdict !== other(document)) count.different.push(document)
    else if (verdict) count.accepted++
    else count.refused++
  }
  return count
}

for (const [kind, ours, path] of KINDS) {
  describe(`the schema of ${kind}`, () => {
    test('gives the same results as the published schema for the corpus and its mutations', (t) => {
      if (!existsSync(reference)) return t.skip(`needs the published schema at ${reference}`)
      const { accepted, refused, different } = compare(kind, ours, published(path), 4000)
      assert.deepEqual(different.slice(0, 3), [])
      assert.ok(accepted > 300 && refused > 1000, `${accepted} accepted, ${refused} refused`)
    })
    test('the comparison finds a schema that is stricter, and one that is laxer', (t) => {
      if (!existsSync(reference)) return t.skip(`needs the published schema at ${reference}`)
      const laxer: Verdict = (value) =>
        ours(value) || (ours.errors ?? []).every((error) => error.keyword === 'type')
      const stricter: Verdict = (value) => ours(value) && JSON.stringify(value).length % 7 !== 0
      for (const changed of [laxer, stricter]) {
        assert.ok(compare(kind, changed, published(path), 1500).different.length > 0)
      }
    })
  })
}
