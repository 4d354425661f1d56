import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { randomNumbers } from '../../../scripts/random-numbers.ts'
import type { Json } from '../../../src/document/json.ts'
import { validate } from '../../../src/spec/aaif/generated/agent.validate.js'
import { repetitions } from '../../repetitions.ts'
import { mutate } from './mutations.ts'
import { copyOf, full, samples } from './samples.ts'

const reference = `${process.env.WAYBILL_TEST_DATA ?? '../shared'}/reference/aaif/schema/agent.schema.json`

const ROUNDS = repetitions(12_000)

test('the schema gives the same results as the published schema for mutated definitions', (t) => {
  if (!existsSync(reference)) return t.skip(`needs the published schema at ${reference}`)
  const ajv = new Ajv2020({ ownProperties: true, strict: false, validateFormats: false })
  const published = ajv.compile(JSON.parse(readFileSync(reference, 'utf8')))
  const random = randomNumbers(20261121)
  const count = { accepted: 0, refused: 0, mtls: 0, namelessProvider: 0 }
  for (let round = 0; round < ROUNDS; round++) {
    let document: Json = samples[round % samples.length] as Json
    // Several changes in a row reach states that a single change cannot reach.
    for (let changes = 1 + (round % 3); changes > 0; changes--) document = mutate(document, random)
    const ours = validate(document)
    if (ours !== published(document)) {
      const known = knownDifference(document)
      assert.ok(known, `${ours ? 'only we accept' : 'only we refuse'} ${JSON.stringify(document)}`)
      count[known]++
    } else if (ours) count.accepted++
    else count.refused++
  }
  assert.ok(count.accepted > ROUNDS / 6 && count.refused > ROUNDS / 3, JSON.stringify(count))
})

test('the only two differences from the published schema are the known ones', (t) => {
  if (!existsSync(reference)) return t.skip(`needs the published schema at ${reference}`)
  const ajv = new Ajv2020({ ownProperties: true, strict: false, validateFormats: false })
  const published = ajv.compile(JSON.parse(readFileSync(reference, 'utf8')))
  const mutual = copyOf(full)
  mutual.agent.tools[0].auth.type = 'mtls'
  assert.deepEqual([validate(mutual), published(mutual), knownDifference(mutual)], [true, false, 'mtls'])
  const nameless = copyOf(full)
  nameless.agent.model.provider_id = ''
  assert.deepEqual(
    [validate(nameless), published(nameless), knownDifference(nameless)],
    [false, true, 'namelessProvider'],
  )
})

/** Intended differences: the draft lists mtls, and a custom provider needs a name that is not empty. */
function knownDifference(document: Json): 'mtls' | 'namelessProvider' | undefined {
  const { agent } = copyOf(document)
  if (agent?.model?.provider === 'custom' && agent.model.provider_id === '') return 'namelessProvider'
  return JSON.stringify(agent?.tools ?? []).includes('"mtls"') ? 'mtls' : undefined
}
