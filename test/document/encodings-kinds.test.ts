import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { randomNumbers } from '../../scripts/random-numbers.ts'
import type { Document } from '../../src/document/document.ts'
import { encodeDocument } from '../../src/document/encode-document.ts'
import type { Json, JsonObject } from '../../src/document/json.ts'
import { decodeCbor, encodeCbor } from '../../src/document/lazy-encodings.ts'
import { readDocument } from '../../src/document/read-document.ts'
import { validateAgentDefinition } from '../../src/spec/aaif/validate-agent-definition.ts'
import { detectKind } from '../../src/spec/kinds.ts'
import { Place, waybill } from '../cli/fixture.ts'
import { mutate } from '../spec/aaif/mutations.ts'
import { full, minimal } from '../spec/aaif/samples.ts'

const SAMPLES: Readonly<Record<string, JsonObject>> = {
  'aaif.agent': full,
  'aaif.state': {
    sc_standard: 'SC-006',
    state_id: 's-1',
    agent_id: 'a-1',
    checkpoint_at: '2026-11-21T00:00:00Z',
    status: 'paused',
    variables: { rate: 0.25, big: 2 ** 53 - 1, nothing: null },
    conversation: [{ role: 'user', content: 'Grüße \u{1f4e6}' }],
  },
  'aaif.manifest': { sc_standard: 'SC-006', platform: { name: 'Waybill' }, capabilities: ['tool.mcp'] },
  'aaif.conformance-report': { sc_standard: 'SC-006', report: { aaif_versions: ['3.4.0'] }, claims: [] },
  'aaif.registry': { registry: { id: 'providers' }, entries: [{ id: 'openai', status: 'standard' }] },
}

function documentOf(bytes: Uint8Array, file: string): Document {
  const { document, issues } = readDocument(bytes, { file })
  return document ?? assert.fail(JSON.stringify(issues))
}

describe('AAIF documents as CBOR', () => {
  test('AAIF-9-02: a document of any kind', () => {
    for (const [kind, sample] of Object.entries(SAMPLES)) {
      const document = documentOf(encodeCbor(sample), 'x.cbor')
      assert.deepEqual(document.value, sample)
      assert.equal(detectKind(document.value)?.kind, kind)
    }
  })

  test('AAIF-9-03: a document that is invalid as JSON is invalid as CBOR, with the same issues at the same places', () => {
    const random = randomNumbers(9003)
    let invalid = 0
    for (let round = 0; round < 600; round++) {
      const mutated = mutate(round % 2 === 0 ? full : minimal, random)
      const json = documentOf(encodeDocument(mutated, 'json'), 'x.json')
      // Numbers that JSON readers may round give a finding in text; numbers in CBOR are exact.
      if (json.warnings.length > 0) continue
      const expected = validateAgentDefinition(json)
      assert.deepEqual(validateAgentDefinition(documentOf(encodeCbor(mutated), 'x.cbor')), expected)
      if (expected.some(({ severity }) => severity === 'error')) invalid++
    }
    assert.ok(invalid > 200, `${invalid} of the documents were invalid`)
  })

  test('AAIF-9-04: CBOR of an AAIF document is sent with the media type of its profile', async (t) => {
    const place = new Place(t)
    for (const [kind, sample] of Object.entries(SAMPLES)) {
      place.write('x.json', JSON.stringify(sample))
      const { out } = await waybill(place, ['transcode', 'x.json', '--to', 'cbor', '--json'])
      const { media_type } = JSON.parse(out) as { media_type: string }
      assert.equal(media_type, 'application/cbor; profile="https://schemacommons.org/SC-006/cbor"', kind)
    }
  })

  test('AAIF-9-07: the same document as JSON and as CBOR gives the same validation, plan and run', async (t) => {
    const place = new Place(t)
    const agent = {
      name: 'Clerk',
      goal: 'Say hello.',
      model: { provider: 'openai', preferred: 'gpt-4o-mini' },
    }
    const definition: Json = {
      sc_standard: 'SC-006',
      agent_id: '6f1b1a52-2d0f-4c39-9a6e-0d8b8c2f4f10',
      agent,
    }
    writeFileSync(join(place.folder, 'a.json'), encodeDocument(definition))
    writeFileSync(join(place.folder, 'a.cbor'), encodeCbor(definition))
    const both = (argv: readonly string[]) =>
      Promise.all(
        ['a.json', 'a.cbor'].map((file) =>
          waybill(
            place,
            argv.map((word) => word.replace('FILE', file)),
          ),
        ),
      )

    const [validJson, validCbor] = await both(['validate', 'FILE', '--json'])
    assert.equal(validJson?.code, 0)
    assert.deepEqual(validCbor?.out.replaceAll('a.cbor', 'a.json'), validJson?.out)

    const [planJson, planCbor] = await both(['plan', 'FILE', '--json'])
    assert.ok(JSON.parse(planJson?.out ?? '').plan_hash)
    assert.deepEqual(JSON.parse(planCbor?.out ?? ''), JSON.parse(planJson?.out ?? ''))

    const [runJson, runCbor] = await both(['run', 'FILE', '--rehearse', '--input', 'Hi', '--json'])
    const resultOf = (out: string | undefined) => {
      const { run_id: _id, usage, ...rest } = JSON.parse(out ?? '') as { run_id: string; usage: JsonObject }
      return { ...rest, usage: { ...usage, duration_ms: 0 } }
    }
    assert.equal(runJson?.code, 0)
    assert.deepEqual(resultOf(runCbor?.out), resultOf(runJson?.out))
  })

  test('the published registries are unchanged after a round trip', (t) => {
    const folder = join(process.env.WAYBILL_TEST_DATA ?? '../shared', 'reference/aaif/registries')
    if (!existsSync(folder)) return t.skip(`needs the reference data at ${folder}`)
    for (const file of readdirSync(folder)) {
      const value = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Json
      assert.deepEqual(decodeCbor(encodeCbor(value)), value, file)
    }
  })
})
